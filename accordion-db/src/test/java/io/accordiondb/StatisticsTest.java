// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.key;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.Await;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MemStoreStatistics;
import io.accordiondb.memstore.Policy;
import io.accordiondb.memstore.SegmentKind;
import io.accordiondb.memstore.SegmentStatistics;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.FlushStatistics;
import io.accordiondb.statistics.MemoryStatistics;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.OperationStatistics.Operation;
import io.accordiondb.statistics.StoreStatistics;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatisticsTest {
  private static final int ROWS = 20_000;

  /** What nothing in this test fails, holds up, or leaks. */
  private static final Set<String> ZERO_WHEN_ALL_IS_WELL =
      Set.of(
          "aborts",
          "backgroundErrors",
          "compactionDebtBytes",
          "corruptions",
          "debtBytes",
          "failures",
          "keptBytes",
          "keptFiles",
          "leaked",
          "mergeFailures",
          "filterFailures",
          "nanos",
          "running",
          "waiting",
          "level");

  @TempDir private Path folder;
  private Database database;
  private KeyValueStore basic;
  private KeyValueStore eager;

  @BeforeEach
  void open() throws IOException {
    database =
        Database.open(
            folder.resolve("db"),
            DatabaseOptions.builder()
                .memoryBytes(64 << 20)
                .blockCacheBytes(8 << 20)
                .compactWhenIdle(false)
                .build());
    basic = database.keyValueStore("basic", family(Policy.BASIC));
    eager = database.keyValueStore("eager", family(Policy.EAGER));
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private static FamilyDescriptor family(Policy policy) {
    return FamilyDescriptor.builder(KeyValueStore.FAMILY)
        .memStorePolicy(MemStorePolicy.of(policy).withPipelineSegmentsMax(1))
        .blockSizeBytes(1024)
        .build();
  }

  private DatabaseStatistics await(Predicate<DatabaseStatistics> condition) throws IOException {
    return Await.await("statistics", database::statistics, condition);
  }

  /** Leaves segments of each kind, and cells that were eliminated. */
  private void workInMemory(KeyValueStore store) throws IOException {
    long before = count(OperationKind.IN_MEMORY_MERGE) + count(OperationKind.IN_MEMORY_COMPACTION);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 100; i++) {
        store.put(key(i), new byte[100]);
        store.put(key(i), new byte[100]);
      }
      database.flushInMemory(store.name());
    }
    await(
        s ->
            s.operations().of(OperationKind.IN_MEMORY_MERGE).count()
                    + s.operations().of(OperationKind.IN_MEMORY_COMPACTION).count()
                > before);
  }

  private long count(OperationKind kind) throws IOException {
    return database.statistics().operations().of(kind).count();
  }

  private void writeOfEachKind() throws IOException {
    for (Durability durability : Durability.values()) {
      for (int i = 0; i < 50; i++) {
        basic.put(key(i), new byte[10], durability);
      }
    }
    basic.putIfAbsent(key(0), new byte[1]);
    try (Transaction transaction = database.beginTransaction(Isolation.SNAPSHOT)) {
      transaction.keyValueStore("basic").put(key(1), new byte[1]);
      transaction.commit();
    }
  }

  private void readFromFiles(KeyValueStore store) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      store.put(key(i), ("value" + i).getBytes(US_ASCII), Durability.ASYNC);
    }
    database.flush(store.name());
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < ROWS; i += 50) {
        store.get(key(i));
      }
    }
    try (KeyValueIterator rows = store.range(null, null)) {
      while (rows.hasNext()) {
        rows.next();
      }
    }
  }

  @Test
  void afterAllKindsOfWorkNoFigureIsZero() throws IOException {
    writeOfEachKind();
    readFromFiles(basic);
    readFromFiles(basic);
    database.majorCompact("basic");
    workInMemory(basic);
    workInMemory(eager);
    assertThat(basic.get(key(1))).isNotNull();
    for (int i = 0; i < 200; i++) {
      basic.get(key(i % 100));
      basic.range(null, null).close();
      basic.putIfAbsent(key(i), new byte[1]);
    }
    basic.put(key(1), new byte[100]);
    try (Snapshot snapshot = database.snapshot()) {
      DatabaseStatistics statistics = database.statistics();
      List<String> zeros = new ArrayList<>();
      addZeros("", statistics, zeros);
      zeros.removeIf(
          path ->
              ZERO_WHEN_ALL_IS_WELL.contains(path.substring(path.lastIndexOf('.') + 1))
                  || path.startsWith(".writes.stalls")
                  || path.contains(".memory.snapshotBytes"));
      // Each policy does what it is for: one merges, the other compacts. The sums have both.
      zeros.removeIf(path -> path.startsWith(".tables"));
      assertThat(zeros).isEmpty();
      assertThat(statistics.readers().snapshots()).isOne();
      assertThat(statistics.readers().oldestSequence()).isEqualTo(snapshot.sequenceNumber());
      assertThat(statistics.readers().oldestAgeNanos()).isBetween(1L, TimeUnit.MINUTES.toNanos(1));
    }
    assertThat(database.statistics().readers().readPoints()).isZero();
    assertThat(database.statistics().readers().oldestSequence()).isEqualTo(-1);
  }

  @Test
  void flushesOfSplitsAndCopiesAreCounted() throws IOException {
    basic.put(key(1), new byte[100]);
    basic.put(key(2), new byte[100]);
    assertThat(database.splitRegion("basic", key(2))).isTrue();
    // Each region has a store of its own from then on.
    assertThat(database.statistics().flushes().count()).isOne();
    assertThat(database.statistics().flushes().cells()).isEqualTo(2);
    long bytes = database.statistics().flushes().bytesWritten();
    assertThat(bytes).isPositive();
    eager.put(key(3), new byte[100]);
    TableDescriptor copied = database.describe("eager");
    database.copyTable(
        "eager", TableDescriptor.builder("copy").family(copied.families().get(0)).build());
    FlushStatistics flushes = database.statistics().flushes();
    assertThat(flushes.count()).isEqualTo(2);
    assertThat(flushes.cells()).isEqualTo(3);
    assertThat(flushes.bytesWritten()).isGreaterThan(bytes);
  }

  private static void addZeros(String path, Object value, List<String> zeros) {
    if (value instanceof Record record) {
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        Object part;
        try {
          part = component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
          throw new AssertionError(path + "." + component.getName(), e);
        }
        addZeros(path + "." + component.getName(), part, zeros);
      }
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((key, part) -> addZeros(path + "." + key, part, zeros));
    } else if (value instanceof List<?> list) {
      list.forEach(part -> addZeros(path, part, zeros));
    } else if (value instanceof Number number && number.doubleValue() == 0) {
      zeros.add(path);
    }
  }

  @Test
  void getsAreCountedByTheFarthestPlaceTheyReached() throws IOException {
    basic.put(key(1), new byte[10]);
    for (int i = 0; i < 100; i++) {
      basic.get(key(1));
    }
    assertThat(count(OperationKind.GET_MEMORY)).isEqualTo(100);
    database.flush();
    basic.get(key(1));
    assertThat(count(OperationKind.GET_FILE)).isOne();
    for (int i = 0; i < 70; i++) {
      basic.get(key(1));
    }
    assertThat(count(OperationKind.GET_CACHE)).isEqualTo(70);
    assertThat(count(OperationKind.GET_MEMORY)).isEqualTo(100);
    assertThat(database.statistics().cache().of(BlockKind.COLUMN).hits()).isPositive();
    try (KeyValueIterator rows = basic.range(null, null)) {
      assertThat(rows.hasNext()).isTrue();
      rows.next();
      assertThat(rows.hasNext()).isFalse();
    }
    assertThat(count(OperationKind.SCAN_OPEN)).isOne();
    assertThat(count(OperationKind.SCAN_NEXT)).isEqualTo(2);
  }

  @Test
  void writesAreCountedByDurabilityAndTimedNowAndThen() throws IOException {
    for (int i = 0; i < 1000; i++) {
      basic.put(key(i), new byte[10], Durability.ASYNC);
    }
    basic.put(key(1), new byte[10], Durability.FSYNC);
    WriteBatch batch = new WriteBatch();
    batch.put(basic, key(1), new byte[5]);
    batch.put(basic, key(2), new byte[5]);
    database.writeAsync(batch, Durability.SYNC).toCompletableFuture().join();
    DatabaseStatistics statistics = database.statistics();
    Operation async = statistics.operations().of(OperationKind.WRITE_ASYNC);
    assertThat(async.count()).isEqualTo(1000);
    assertThat(async.latency().count()).isBetween(12L, 60L);
    assertThat(async.latency().p50Nanos()).isPositive();
    assertThat(async.latency().maxNanos()).isGreaterThanOrEqualTo(async.latency().p999Nanos());
    Operation forced = statistics.operations().of(OperationKind.WRITE_FSYNC);
    assertThat(forced.count()).isOne();
    assertThat(forced.latency().count()).isOne();
    assertThat(statistics.operations().of(OperationKind.WRITE_SYNC).count()).isOne();
    assertThat(statistics.operations().of(OperationKind.COMMIT_WAIT).count()).isEqualTo(1001);
    assertThat(statistics.writes().batches()).isEqualTo(1002);
    assertThat(statistics.writes().cells()).isEqualTo(1003);
    assertThat(statistics.writes().bytes())
        .isEqualTo(1001L * (key(1).length + 10) + 2 * (key(1).length + 5));
    assertThat(statistics.amplification().sinceOpening().bytesCommitted())
        .isEqualTo(statistics.writes().bytes());
    assertThat(statistics.amplification().lastMinute().write()).isGreaterThan(1);
  }

  @Test
  void aWriteThatFailsIsNotCounted() throws IOException {
    long before = count(OperationKind.WRITE_SYNC);
    try {
      basic.put(key(1), new byte[20 << 20]);
    } catch (ValueTooLargeException | CompletionException e) {
      assertThat(e).hasMessageContaining("value");
    }
    assertThat(count(OperationKind.WRITE_SYNC)).isEqualTo(before);
    assertThat(database.statistics().writes().batches()).isZero();
  }

  private MemStoreStatistics memoryOf(KeyValueStore store) throws IOException {
    return storeOf(database.statistics(), store.name()).memory();
  }

  private static StoreStatistics storeOf(DatabaseStatistics statistics, String table) {
    return statistics.tables().stream()
        .filter(one -> one.name().equals(table))
        .findFirst()
        .orElseThrow()
        .stores()
        .get(0);
  }

  @Test
  void aStoreShowsItsSegmentsAndWhatItsPolicyDecided() throws IOException {
    workInMemory(basic);
    workInMemory(eager);
    basic.put(key(1), new byte[10]);
    MemStoreStatistics memory = memoryOf(basic);
    assertThat(memory.active().kind()).isEqualTo(SegmentKind.ACTIVE);
    assertThat(memory.active().cells()).isOne();
    assertThat(memory.pipeline())
        .hasSize(1)
        .allSatisfy(
            segment -> {
              assertThat(segment.kind()).isEqualTo(SegmentKind.CHUNK);
              assertThat(segment.cells()).isEqualTo(400);
              assertThat(segment.minSequence()).isOne();
              assertThat(segment.maxSequence()).isEqualTo(400);
              assertThat(segment.heldBytes()).isGreaterThan(segment.dataBytes());
              assertThat(segment.indexBytes()).isBetween(1L, segment.heldBytes());
            });
    assertThat(memory.lastDecision()).isEqualTo("merge of 2: more than S = 1 segments");
    assertThat(memory.cellsEliminated()).isZero();
    MemStoreStatistics compacted = memoryOf(eager);
    assertThat(compacted.policy().kind()).isEqualTo(Policy.EAGER);
    assertThat(compacted.cellsEliminated()).isEqualTo(300);
    assertThat(compacted.bytesEliminated()).isGreaterThan(300 * 100);
    assertThat(compacted.segments().mapToLong(SegmentStatistics::cells).sum()).isEqualTo(100);
    assertThat(compacted.lastDecision()).startsWith("compaction of 2: EAGER compacts");
  }

  @Test
  void thePageNamesWhatMatters() throws IOException {
    assertThat(database.statistics().toString()).contains("none yet");
    readFromFiles(basic);
    workInMemory(eager);
    try (Snapshot snapshot = database.snapshot()) {
      assertThat(database.statistics().toString())
          .contains(
              "get, from cache",
              "write, ASYNC",
              "Stalls        0 for 0 ns",
              "Log  ",
              "Flushes       1, ",
              "Memory  ",
              "eliminated in memory: ",
              "hit ratio",
              "level 0",
              "Amplification write ",
              "1 read points, 1 snapshots; the oldest, of sequence " + snapshot.sequenceNumber(),
              "Table eager: 1 region",
              "EAGER A 0.02 S 1 R 0.2",
              "compaction of 2",
              "pipeline CHUNK")
          .doesNotContain("null", "NaN");
    }
  }

  @Test
  void workInMemoryCountsAlsoForTablesThatNoLongerExist() throws IOException {
    workInMemory(basic);
    workInMemory(eager);
    MemoryStatistics before = database.statistics().memory();
    assertThat(before.inMemoryFlushes()).isEqualTo(4);
    assertThat(before.cellsEliminated()).isEqualTo(memoryOf(eager).cellsEliminated());
    assertThat(before.bytesEliminated()).isEqualTo(memoryOf(eager).bytesEliminated());

    database.dropTable("basic");
    database.dropTable("eager");

    MemoryStatistics after = database.statistics().memory();
    assertThat(after.inMemoryFlushes()).isEqualTo(before.inMemoryFlushes());
    assertThat(after.merges()).isEqualTo(before.merges()).isPositive();
    assertThat(after.compactions()).isEqualTo(before.compactions()).isPositive();
    assertThat(after.cellsEliminated()).isEqualTo(before.cellsEliminated());
    assertThat(after.bytesEliminated()).isEqualTo(before.bytesEliminated());
  }

  @Test
  void aDatabaseThatIsReadOnlyCountsOnAsItIsRefreshed() throws IOException {
    basic.put(key(1), new byte[10]);
    try (Database copy =
        Database.open(folder.resolve("db"), DatabaseOptions.builder().readOnly(true).build())) {
      KeyValueReads store = copy.keyValueStore("basic");
      store.get(key(1));
      basic.put(key(2), new byte[10]);
      assertThat(copy.refresh()).isTrue();
      store.get(key(2));
      assertThat(copy.statistics().operations().gets()).isEqualTo(2);
    }
  }
}
