// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.internal.storage.MemoryStorage.LOSES_ALL;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write that is durable is not lost because a later one displaces it in memory and is lost: the
 * log keeps it.
 */
@Timeout(60)
class DisplacedWriteTest {
  private static final byte[] KEY = "key".getBytes(US_ASCII);
  private static final byte[] DURABLE = "durable".getBytes(US_ASCII);
  private static final byte[] LATER = "later".getBytes(US_ASCII);

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

  @ParameterizedTest
  @EnumSource(names = {"ASYNC", "SYNC"})
  void aWriteThatIsLostWithThePowerTakesNoDurableOneWithIt(Durability later) throws IOException {
    checkLogged(later);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteThatIsNotLoggedTakesNoDurableOneWithIt(boolean delete) throws IOException {
    checkUnlogged(delete);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLogIsHeldUntilWhatIsNotLoggedIsFlushed(boolean delete) throws IOException {
    try (Database database = DatabaseEngine.open(new MemoryStorage(), options())) {
      displace(database, Durability.SKIP, delete);
      long held = database.statistics().log().bytes();
      database.flush("kept");
      database.flush("filler");
      assertThat(database.statistics().log().bytes()).isLessThan(held / 2);
    }
  }

  @Test
  void whatAnUnloggedDeleteHasTakenOutOfMemoryStaysDeletedOnceItIsFlushed() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage left;
    try (Database database = DatabaseEngine.open(disk, options())) {
      displace(database, Durability.SKIP, true);
      database.flush("kept");
      left = disk.copy();
    }
    assertThat(read(left)).isNull();
  }

  static void checkLogged(Durability later) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage left;
    try (Database database = DatabaseEngine.open(disk, options())) {
      displace(database, later, false);
      long before = database.statistics().log().bytes();
      ((DatabaseEngine) database).truncateLog();
      assertThat(database.statistics().log().bytes()).isLessThan(before / 2);
      left = disk.crash(LOSES_ALL);
    }
    assertThat(read(left)).isIn(DURABLE, LATER);
  }

  static void checkUnlogged(boolean delete) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage left;
    try (Database database = DatabaseEngine.open(disk, options())) {
      displace(database, Durability.SKIP, delete);
      ((DatabaseEngine) database).truncateLog();
      left = disk.copy();
    }
    assertThat(read(left)).isEqualTo(DURABLE);
  }

  /** Has a durable put displaced in memory by a later write, when nothing else needs the log. */
  private static void displace(Database database, Durability later, boolean delete)
      throws IOException {
    KeyValueStore kept = database.keyValueStore("kept");
    KeyValueStore filler = database.keyValueStore("filler");
    kept.put(KEY, DURABLE);
    for (int i = 0; i < FILLERS; i++) {
      filler.put(KEY, new byte[1000]);
    }
    database.flush("filler");
    if (delete) {
      kept.delete(KEY, later);
    } else {
      kept.put(KEY, LATER, later);
    }
    long before = database.statistics().memory().cellsEliminated();
    database.flushInMemory("kept");
    await(
        "a compaction in memory", () -> database.statistics().memory().cellsEliminated() > before);
  }

  private static byte[] read(MemoryStorage disk) throws IOException {
    try (Database database = DatabaseEngine.open(disk, options())) {
      return database.keyValueStore("kept").get(KEY);
    }
  }
}
