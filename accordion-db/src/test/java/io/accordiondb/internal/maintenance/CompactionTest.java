// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.fixtures.TestThread;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(60)
class CompactionTest {
  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20);
  }

  private static void fill(Database database, int files) throws IOException {
    KeyValueStore store = database.keyValueStore("s");
    for (int file = 0; file < files; file++) {
      for (int i = 0; i < 2000; i++) {
        store.put(key(i), new byte[100]);
      }
      database.flush();
    }
  }

  private static int count(Database database) throws IOException {
    int count = 0;
    try (KeyValueIterator all = database.keyValueStore("s").range(null, null)) {
      while (all.hasNext()) {
        all.next();
        count++;
      }
    }
    return count;
  }

  @Test
  void cancelledCompactionLeavesTheFilesAsTheyWere() throws Exception {
    try (Database database =
        DatabaseEngine.open(disk, options().compactionBytesPerSecond(1000).build())) {
      fill(database, 2);
      TestThread compaction =
          TestThread.start(
              "compaction",
              () -> {
                database.majorCompact("s");
              });
      await(
          "the end of the compaction",
          () -> {
            database.cancelCompactions();
            return !compaction.isRunning();
          });
      compaction.join();
      assertThat(database.statistics().files().count()).isEqualTo(2);
      assertThat(count(database)).isEqualTo(2000);
    }
  }

  /** Its caller must not believe, for example, that no file is under an old key any more. */
  @Test
  void aMajorCompactionThatClosingEndsSaysSo() throws Exception {
    DatabaseOptions slow = options().compactWhenIdle(false).compactionBytesPerSecond(1000).build();
    Database database = DatabaseEngine.open(disk, slow);
    fill(database, 2);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    TestThread compaction =
        TestThread.start(
            "compaction",
            () -> thrown.set(ThrowableAssert.catchThrowable(() -> database.majorCompact("s"))));
    await("the compaction", () -> database.statistics().compactions().running() > 0);
    database.close();
    compaction.join();
    assertThat(disk.list("sst")).hasSize(2);
    assertThat(thrown.get()).isInstanceOf(DatabaseClosedException.class);
  }

  @Test
  void damagedInputIsReportedAndLeavesTheStoreServing() throws Exception {
    try (Database database = DatabaseEngine.open(disk, options().build())) {
      fill(database, 2);
      String damaged = "sst/" + disk.list("sst").get(0);
      database.close();
      disk.flip(damaged, 40);
    }
    try (Database database = DatabaseEngine.open(disk, options().blockCacheBytes(0).build())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int file = 0; file < 4; file++) {
        store.put(key(5000 + file), new byte[10]);
        database.flush();
      }
      await("a failure", () -> database.statistics().compactions().failures() > 0);
      DatabaseStatistics statistics = database.statistics();
      assertThat(statistics.compactions().lastFailure()).contains("damaged");
      store.put(key(6000), new byte[10]);
      assertThat(store.get(key(6000))).hasSize(10);
      assertThat(store.get(key(1999))).hasSize(100);
    }
  }

  /** The copy stops the compaction for a moment. */
  @Test
  void aMajorCompactionBesideACopyOfItsTableIsDone() throws Exception {
    DatabaseOptions slow =
        options().compactWhenIdle(false).compactionBytesPerSecond(100_000).build();
    try (Database database = DatabaseEngine.open(disk, slow)) {
      fill(database, 2);
      TestThread compaction = TestThread.start("compaction", () -> database.majorCompact("s"));
      await("the compaction", () -> database.statistics().compactions().running() > 0);
      database.copyTable(
          "s",
          TableDescriptor.builder("copy").family(database.describe("s").families().get(0)).build());
      database.reconfigure(o -> o.compactionBytesPerSecond(0));
      compaction.join();
      assertThat(database.statistics().files().count()).isEqualTo(3);
      assertThat(count(database)).isEqualTo(2000);
    }
  }

  @Test
  void aDatabaseThatIsNotWrittenToMergesItsTables() throws Exception {
    try (Database database = DatabaseEngine.open(disk, options().build())) {
      fill(database, 3);
      // It is counted after its tables have been exchanged.
      await("a compaction", () -> database.statistics().compactions().count() > 0);
      assertThat(database.statistics().files().count()).isEqualTo(1);
      assertThat(count(database)).isEqualTo(2000);
    }
  }

  @Test
  void aDatabaseThatIsNotWrittenToMergesItsSegmentsInMemory() throws Exception {
    try (Database database = DatabaseEngine.open(disk, options().build())) {
      fillSegments(database);
      await("one segment", () -> pipelineSegments(database) == 1);
      assertThat(count(database)).isEqualTo(2000);
    }
  }

  private static void fillSegments(Database database) throws IOException {
    KeyValueStore store = database.keyValueStore("s");
    for (int segment = 0; segment < 4; segment++) {
      for (int i = segment; i < 2000; i += 4) {
        store.put(key(i), new byte[10]);
      }
      database.flushInMemory("s");
    }
  }

  private static long pipelineSegments(Database database) throws IOException {
    return database.statistics().memory().pipelineSegments();
  }

  @Test
  void tablesAndSegmentsStayAsTheyAreWhereIdleCompactionIsOff() throws Exception {
    try (Database database = DatabaseEngine.open(disk, options().compactWhenIdle(false).build());
        Database other = DatabaseEngine.open(new MemoryStorage(), options().build())) {
      fill(database, 3);
      fillSegments(database);
      fill(other, 3);
      fillSegments(other);
      await(
          "the merges of the other database, which has been idle for a shorter time",
          () -> other.statistics().compactions().count() > 0 && pipelineSegments(other) == 1);
      assertThat(database.statistics().files().count()).isEqualTo(3);
      assertThat(pipelineSegments(database)).isEqualTo(4);
    }
  }

  @Test
  void manyRegionsAreCompactedSideBySide() throws IOException {
    try (Database database = DatabaseEngine.open(disk, options().compactionThreads(4).build())) {
      database.createTable(
          TableDescriptor.of("s", KeyValueStore.FAMILY), key(500), key(1000), key(1500));
      fill(database, 2);
      database.majorCompact("s");
      assertThat(database.statistics().files().count()).isEqualTo(4);
      assertThat(count(database)).isEqualTo(2000);
    }
  }

  @Test
  void cacheTellsItsHitsAndScansMayLeaveItAlone() throws IOException {
    try (Database database = DatabaseEngine.open(disk, options().build())) {
      long reserved = database.statistics().cache().usedBytes();
      fill(database, 1);
      long roots = database.statistics().cache().usedBytes();
      assertThat(roots).as("roots of index and filter").isGreaterThan(reserved);
      try (var scanner = database.table("s").scan(new Scan().setCacheBlocks(false))) {
        for (var result : scanner) {
          assertThat(result.isEmpty()).isFalse();
        }
      }
      long withoutData = database.statistics().cache().usedBytes();
      assertThat(count(database)).isEqualTo(2000);
      long withData = database.statistics().cache().usedBytes();
      assertThat(withData).isGreaterThan(withoutData);
      double before = database.statistics().cache().hitRatio();
      for (int i = 0; i < 200; i++) {
        assertThat(database.keyValueStore("s").get(key(i))).hasSize(100);
      }
      assertThat(database.statistics().cache().hitRatio()).isGreaterThan(before).isLessThan(1);
      assertThat(withData).isLessThanOrEqualTo(database.statistics().cache().budgetBytes());
      database.dropTable("s");
      assertThat(database.statistics().cache().usedBytes()).isEqualTo(reserved);
    }
  }
}
