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
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A write that is on the device is not lost because of a later one that is not: the log keeps it,
 * although it is no longer in memory.
 */
@Timeout(60)
class DisplacedWriteTest {
  private static final byte[] KEY = "key".getBytes(US_ASCII);
  private static final byte[] DURABLE = "durable".getBytes(US_ASCII);
  private static final byte[] LATER = "later".getBytes(US_ASCII);
  private static final RandomGenerator LOSES_ALL = () -> 0;

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
  void aLaterWriteThatIsLostDoesNotTakeADurableOneWithIt(Durability later) throws IOException {
    check(later);
  }

  static void check(Durability later) throws IOException {
    MemoryStorage disk = new MemoryStorage();
    MemoryStorage left;
    try (Database database = DatabaseEngine.open(disk, options())) {
      displace(database, later);
      long before = database.statistics().logBytes();
      ((DatabaseEngine) database).truncateLog();
      assertThat(database.statistics().logBytes()).isLessThan(before / 2);
      left = disk.crash(LOSES_ALL);
    }
    try (Database database = DatabaseEngine.open(left, options())) {
      assertThat(database.keyValueStore("kept").get(KEY)).isIn(DURABLE, LATER);
    }
  }

  /** Has a durable put displaced in memory by a later one, when nothing else needs the log. */
  private static void displace(Database database, Durability later) throws IOException {
    KeyValueStore kept = database.keyValueStore("kept");
    KeyValueStore filler = database.keyValueStore("filler");
    kept.put(KEY, DURABLE);
    for (int i = 0; i < FILLERS; i++) {
      filler.put(KEY, new byte[1000]);
    }
    database.flush("filler");
    kept.put(KEY, LATER, later);
    database.flushInMemory("kept");
    awaitMemory(database, 1);
  }

  private static void awaitMemory(Database database, long cells) throws IOException {
    Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
    while (database.statistics().memory().cells() > cells) {
      assertThat(Instant.now()).as("a compaction in memory").isBefore(deadline);
      Thread.onSpinWait();
    }
  }
}
