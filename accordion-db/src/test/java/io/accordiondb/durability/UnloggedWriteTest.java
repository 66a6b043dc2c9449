// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write that is not logged displaces a logged one in memory, and then the process dies. The
 * unlogged write may be lost, but what it displaced must not be: the log has to keep it.
 */
class UnloggedWriteTest {
  private static final byte[] KEY = bytes("key");
  private static final byte[] LOGGED = bytes("logged");
  private static final byte[] UNLOGGED = bytes("unlogged");

  /** Enough to fill several log files. */
  private static final int FILLERS = 40;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(8 << 20)
        .logFileBytes(4 << 10)
        .memStorePolicy(MemStorePolicy.of(Policy.EAGER))
        .durability(Durability.FSYNC)
        .build();
  }

  @Test
  void anUnloggedPutDoesNotTakeTheLoggedOneWithIt() throws IOException {
    check(false);
  }

  @Test
  void anUnloggedDeleteDoesNotTakeTheLoggedPutWithIt() throws IOException {
    check(true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLogIsHeldNoLongerThanUntilTheFlush(boolean delete) throws IOException {
    try (Database database = DatabaseEngine.open(new MemoryStorage(), options())) {
      displace(database, delete);
      long held = database.statistics().logBytes();
      database.flush("kept");
      database.flush("filler");
      assertThat(database.statistics().logBytes()).isLessThan(held / 2);
    }
  }

  static void check(boolean delete) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage left;
    try (Database database = DatabaseEngine.open(disk, options())) {
      displace(database, delete);
      left = disk.copy();
    }
    try (Database database = DatabaseEngine.open(left, options())) {
      assertThat(database.keyValueStore("kept").get(KEY)).isEqualTo(LOGGED);
    }
  }

  /** Has a logged put displaced by a write that is not logged, and the log truncated. */
  private static void displace(Database database, boolean delete) throws IOException {
    KeyValueStore kept = database.keyValueStore("kept");
    KeyValueStore filler = database.keyValueStore("filler");
    kept.put(KEY, LOGGED);
    for (int i = 0; i < FILLERS; i++) {
      filler.put(KEY, new byte[1000]);
    }
    if (delete) {
      kept.delete(KEY, Durability.SKIP);
    } else {
      kept.put(KEY, UNLOGGED, Durability.SKIP);
    }
    long before = database.statistics().memory().cellsEliminated();
    database.flushInMemory("kept");
    Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
    while (database.statistics().memory().cellsEliminated() == before) {
      assertThat(Instant.now()).as("a compaction in memory").isBefore(deadline);
      Thread.onSpinWait();
    }
    // A flush of any store has the log truncated.
    database.flush("filler");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }
}
