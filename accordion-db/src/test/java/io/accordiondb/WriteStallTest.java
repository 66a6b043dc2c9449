// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.FaultyStorage.Operation;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class WriteStallTest {
  private static final Duration STALL_MAX = Duration.ofMillis(100);

  private final FaultyStorage storage = new FaultyStorage(new MemoryStorage());

  private static DatabaseOptions.Builder builder() {
    return DatabaseOptions.builder()
        .memoryBytes(1 << 20)
        .experiment(e -> e.withChunkBytes(64 << 10))
        .memStorePolicy(MemStorePolicy.of(Policy.NONE));
  }

  private static DatabaseOptions options() {
    return builder().stallMax(STALL_MAX).build();
  }

  private static byte[] key(int number) {
    return bytes("key" + number);
  }

  @Test
  void writesThatNoFlushRelievesEndAndAreToldAndLaterOnesGoOn() throws IOException {
    try (Database database = DatabaseEngine.open(storage, options())) {
      KeyValueStore store = database.keyValueStore("s");
      // A full disk: no sorted table can be begun; the log goes on in its file.
      storage.failForEver(Set.of(Operation.CREATE), 1);
      int[] written = {0};
      assertThatThrownBy(
              () -> {
                while (true) {
                  store.put(key(written[0]), new byte[1000]);
                  written[0]++;
                }
              })
          .isInstanceOf(WriteStalledException.class)
          .hasMessageContaining("memory stores");
      DatabaseStatistics stalled = database.statistics();
      assertThat(stalled.writes().stalls().count()).isPositive();
      assertThat(stalled.writes().stalls().nanos()).isGreaterThanOrEqualTo(STALL_MAX.toNanos());
      assertThat(stalled.writes().stalls().lastReason()).contains("bytes until flushes");
      for (int i = 0; i < written[0]; i++) {
        assertThat(store.get(key(i))).isNotNull();
      }

      storage.count(Set.of());
      database.flush();
      store.put(key(written[0]), new byte[1000]);
      assertThat(store.get(key(written[0]))).isNotNull();
    }
  }

  /** Writes that many values of a kilobyte as one batch. */
  private static void writeBatch(Database database, int values) throws IOException {
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < values; i++) {
      batch.put(
          "s", new Put(key(i)).addColumn(bytes(KeyValueStore.FAMILY), new byte[0], new byte[1000]));
    }
    database.write(batch);
  }

  @Test
  void whereAllMemoryWaitsForAFailedFlushWritesGoOnWhenTheDiskIsFineAgain() throws IOException {
    try (Database database = DatabaseEngine.open(storage, options())) {
      KeyValueStore store = database.keyValueStore("s");
      storage.failForEver(Set.of(Operation.CREATE), 1);
      writeBatch(database, 700);
      await("a failure", () -> database.statistics().flushes().failures() > 0);
      String[] what = {"table s", "region", "family " + KeyValueStore.FAMILY, "failed on demand"};
      assertThat(database.statistics().flushes().lastFailure()).contains(what);
      byte[] large = new byte[400 << 10];
      assertThatThrownBy(() -> store.put(key(-1), large))
          .isInstanceOf(WriteStalledException.class)
          .hasMessageContainingAll(what);
      assertThat(database.statistics().writes().stalls().lastReason()).contains(what);

      storage.count(Set.of());
      while (store.get(key(-1)) == null) {
        try {
          store.put(key(-1), large);
        } catch (WriteStalledException e) {
          assertThat(e).hasMessageContaining("until flushes have written them");
        }
      }
      assertThat(store.get(key(699))).hasSize(1000);
    }
  }

  @Test
  void aFlushThatHasFailedIsTriedAgainAlsoIfNobodyWrites() throws IOException {
    MemoryStorage disk = new MemoryStorage();
    FaultyStorage faulty = new FaultyStorage(disk);
    try (Database database = DatabaseEngine.open(faulty, options())) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(key(1), new byte[1000]);
      faulty.failOnce(Set.of(Operation.CREATE), 1);
      assertThatThrownBy(database::flush).hasMessageContaining("failed on demand");
      await("a flush", () -> database.statistics().flushes().count() > 0);
      assertThat(database.statistics().flushes().failures()).isOne();
      assertThat(database.statistics().memory().cells()).isZero();
    }
  }

  @Test
  void aBatchLargerThanTheMemoryLeftHasItFlushed() throws IOException {
    DatabaseOptions roomy =
        DatabaseOptions.builder()
            .memoryBytes(4 << 20)
            .experiment(e -> e.withChunkBytes(64 << 10))
            .stallMax(Duration.ofSeconds(20))
            .build();
    try (Database database = DatabaseEngine.open(storage, roomy)) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; database.statistics().memory().usedBytes() < 2_400_000; i++) {
        store.put(key(i), new byte[1000]);
      }
      assertThat(database.statistics().flushes().count()).isZero();
      writeBatch(database, 1_800);
      // The flush is counted once it has ended; the memory is free a moment earlier.
      await("a flush", () -> database.statistics().flushes().count() > 0);
      assertThat(store.get(key(1_799))).hasSize(1000);
    }
  }

  @Test
  void aDeletionOfManyRowsKeepsNoMemoryThatItWaitsFor() throws Exception {
    DatabaseOptions patient = builder().stallMax(Duration.ofSeconds(20)).build();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Database database = DatabaseEngine.open(storage, patient)) {
      KeyValueStore store = database.keyValueStore("s");
      storage.failForEver(Set.of(Operation.CREATE), 1);
      int rows = 0;
      while (database.statistics().memory().usedBytes() < (1 << 20) - (80 << 10)) {
        store.put(key(rows), new byte[500]);
        rows++;
      }
      writeBatch(database, 58);
      long stalls = database.statistics().writes().stalls().count();
      Future<?> deleted =
          thread.submit(
              () -> {
                database.table("s").deleteRange(new byte[0], new byte[0]);
                return null;
              });
      await("a stall", () -> database.statistics().writes().stalls().count() > stalls);
      storage.count(Set.of());
      deleted.get();
      assertThat(store.range(null, null)).isExhausted();
    } finally {
      thread.shutdown();
    }
  }

  @Test
  void writesThatCompactionsCannotFollowEndAndAreTold() throws IOException {
    DatabaseOptions slow =
        DatabaseOptions.builder()
            .compactionBytesPerSecond(1)
            .compactionDebtBytesMax(64 << 10)
            .stallMax(STALL_MAX)
            .build();
    try (Database database = DatabaseEngine.open(storage, slow)) {
      KeyValueStore store = database.keyValueStore("s");
      byte[] noise = new byte[1000];
      Random random = new Random(1);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  random.nextBytes(noise);
                  store.put(key(i), noise);
                  if (i % 50 == 49) {
                    database.flush();
                  }
                }
              })
          .isInstanceOf(WriteStalledException.class)
          .hasMessageContaining("wait for a compaction");
      assertThat(database.statistics().writes().stalls().lastReason())
          .contains("wait for a compaction");
      assertThat(store.get(key(0))).isNotNull();
    }
  }

  @Test
  void writersDoNotWaitForCompactionsOfAFamilyThatIsNeverCompacted() throws IOException {
    int flushes = 60;
    FamilyDescriptor never =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .compactionStyle(CompactionStyle.NONE)
            .build();
    try (Database database = DatabaseEngine.open(storage, options())) {
      KeyValueStore store = database.keyValueStore("s", never);
      for (int i = 0; i < flushes; i++) {
        store.put(key(i), new byte[10]);
        database.flush();
      }
      assertThat(database.statistics().writes().stalls().count()).isZero();
      database.majorCompact("s");
      store.put(key(flushes), new byte[10]);
      for (int i = 0; i <= flushes; i++) {
        assertThat(store.get(key(i))).hasSize(10);
      }
    }
  }

  @Test
  void whereNothingIsShortNothingStalls() throws IOException {
    try (Database database = DatabaseEngine.open(storage, options())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < 100; i++) {
        store.put(key(i), new byte[100]);
      }
      assertThat(database.statistics().writes().stalls().count()).isZero();
      assertThat(database.statistics().writes().stalls().lastReason()).isNull();
    }
  }
}
