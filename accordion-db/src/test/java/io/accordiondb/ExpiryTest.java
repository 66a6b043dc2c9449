// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.accordiondb.fixtures.Await;
import io.accordiondb.fixtures.Undeclared;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Times to live of single cells, and compaction filters, as a program meets them. */
class ExpiryTest {
  private static final byte[] ROW = bytes("row");
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");
  private static final CompactionFilter DROPS_X =
      cell -> {
        byte[] value = new byte[cell.value().remaining()];
        cell.value().get(value);
        return new String(value, US_ASCII).startsWith("x")
            ? CompactionFilter.Decision.DROP
            : CompactionFilter.Decision.KEEP;
      };

  private final MemoryStorage disk = new MemoryStorage();
  private final AtomicLong now = new AtomicLong(1_000_000);

  private DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .clock(() -> Instant.ofEpochMilli(now.get()));
  }

  private Database open() throws IOException {
    return DatabaseEngine.open(disk, options().compactionFilter("x", DROPS_X).build());
  }

  @Test
  void aValueIsGoneOnceItsTimeHasPassedWhereverItLies() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(ROW, bytes("old"));
      store.put(ROW, bytes("new"), 100);
      for (int place = 0; place < 2; place++) {
        assertThat(store.get(ROW)).isEqualTo(bytes("new"));
        assertThat(store.get(ROW)).isEqualTo(bytes("new"));
        database.flush();
      }
      now.addAndGet(101);
      // No older value comes back, before and after all is compacted.
      assertThat(store.get(ROW)).isNull();
      try (KeyValueIterator entries = store.range(null, null)) {
        assertThat(entries.hasNext()).isFalse();
      }
      database.majorCompact("s");
      assertThat(store.get(ROW)).isNull();
    }
    try (Database database = open()) {
      assertThat(database.keyValueStore("s").get(ROW)).isNull();
    }
  }

  /** The file with the newest version has expired, and the one with the version before has not. */
  @Test
  void theNewestVersionIsBackWhenTheTimeToLiveOfItsFamilyIsLonger() throws IOException {
    long time = now.get();
    try (Database database =
        DatabaseEngine.open(disk, options().blockCacheBytes(8 << 20).build())) {
      database.createTable(tableOf(1_000));
      Table table = database.table("t");
      table.put(
          new Put(ROW)
              .addColumn(FAMILY, QUALIFIER, time - 200, bytes("old"))
              .addColumn(FAMILY, bytes("other"), time + 5_000, bytes("lives")));
      database.flush();
      table.put(new Put(ROW).addColumn(FAMILY, QUALIFIER, time - 100, bytes("new")));
      database.flush();
      now.addAndGet(950);
      Get get = new Get(ROW).addColumn(FAMILY, QUALIFIER);
      for (int i = 0; i < 3; i++) {
        assertThat(table.get(get).value(FAMILY, QUALIFIER)).isNull();
      }
      database.alterTable(tableOf(10_000));
      assertThat(table.get(get).value(FAMILY, QUALIFIER)).isEqualTo(bytes("new"));
    }
  }

  private static TableDescriptor tableOf(long ttlMillis) {
    return TableDescriptor.builder("t")
        .family(FamilyDescriptor.builder("f").ttlMillis(ttlMillis).maxVersions(2).build())
        .build();
  }

  @Test
  void timesToLiveAreReplayedFromTheLog() throws IOException {
    Database killed = open();
    KeyValueStore store = killed.keyValueStore("s");
    store.put(bytes("a"), bytes("lasts"));
    KeyValueBatch batch = store.writeBatch().put(bytes("b"), bytes("first"));
    batch.put(bytes("c"), bytes("expires"), 100).put(bytes("d"), bytes("last")).commit();
    try (Database database = DatabaseEngine.open(disk.copy(), options().build())) {
      KeyValueStore replayed = database.keyValueStore("s");
      assertThat(replayed.get(bytes("c"))).isEqualTo(bytes("expires"));
      now.addAndGet(101);
      assertThat(replayed.get(bytes("a"))).isEqualTo(bytes("lasts"));
      assertThat(replayed.get(bytes("b"))).isEqualTo(bytes("first"));
      assertThat(replayed.get(bytes("c"))).isNull();
      assertThat(replayed.get(bytes("d"))).isEqualTo(bytes("last"));
    }
    killed.close();
  }

  /** The manifest has the time of the last flush only. */
  @Test
  void whatHadExpiredBeforeACrashIsDroppedAfterIt() throws IOException {
    Database flushed = open();
    byte[] large = new byte[100_000];
    new SplittableRandom(1).nextBytes(large);
    flushed.keyValueStore("s").put(ROW, large, 100);
    flushed.flush();
    now.addAndGet(Duration.ofHours(3).toMillis());
    MemoryStorage left = disk.copy();
    Database killed = DatabaseEngine.open(left, options().build());
    killed.keyValueStore("s").put(bytes("later"), bytes("value"));
    try (Database database = DatabaseEngine.open(left.copy(), options().build())) {
      database.majorCompact("s");
      assertThat(database.statistics().files().bytes()).isLessThan(large.length / 2);
    }
    killed.close();
    flushed.close();
  }

  @Test
  void anExpiredValueCountsAsNone() throws IOException {
    try (Database database = open()) {
      Table table = created(database, TableDescriptor.of("t", "f"));
      Increment increment = new Increment(ROW).addColumn(FAMILY, QUALIFIER, 5).setTtlMillis(100);
      assertThat(table.increment(increment).cells().get(0).ttlMillis()).isEqualTo(100);
      assertThat(table.increment(ROW, FAMILY, bytes("other"), 1)).isEqualTo(1);
      now.addAndGet(101);
      assertThat(table.increment(increment).value(FAMILY, QUALIFIER)).endsWith((byte) 5);
      Append append = new Append(ROW).addColumn(FAMILY, bytes("a"), bytes("x")).setTtlMillis(100);
      table.append(append);
      assertThat(table.append(append).value(FAMILY, bytes("a"))).isEqualTo(bytes("xx"));
      now.addAndGet(101);
      assertThat(table.append(append).value(FAMILY, bytes("a"))).isEqualTo(bytes("x"));
    }
  }

  @Test
  void whatIsReadSaysItsTimeToLive() throws IOException {
    try (Database database = open()) {
      Table table = created(database, TableDescriptor.of("t", "f"));
      table.put(new Put(ROW).setTtlMillis(70).addColumn(FAMILY, QUALIFIER, bytes("v")));
      assertThat(table.get(new Get(ROW)).cells().get(0).ttlMillis()).isEqualTo(70);
      try (Transaction transaction = database.beginTransaction()) {
        Put put = new Put(bytes("own")).addColumn(FAMILY, QUALIFIER, bytes("v")).setTtlMillis(30);
        transaction.table("t").put(put);
        Result own = transaction.table("t").get(new Get(bytes("own")));
        assertThat(own.cells().get(0).ttlMillis()).isEqualTo(30);
        transaction.commit();
      }
      now.addAndGet(50);
      assertThat(table.get(new Get(ROW)).isEmpty()).isFalse();
      assertThat(table.get(new Get(bytes("own"))).isEmpty()).isTrue();
    }
  }

  @Test
  void aChangeFeedTellsTimesToLive() throws IOException {
    DatabaseOptions options = options().logRetention(Duration.ofHours(1)).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      Table table = created(database, TableDescriptor.of("t", "f"));
      try (ChangeFeed feed = database.changes()) {
        table.put(new Put(ROW).setTtlMillis(70).addColumn(FAMILY, QUALIFIER, bytes("v")));
        Change change = feed.next(Duration.ofSeconds(10));
        assertThat(change).isNotNull();
        Cell cell = change.cells().get(0).cell();
        assertThat(cell.ttlMillis()).isEqualTo(70);
        assertThat(cell.value()).isEqualTo(bytes("v"));
      }
    }
  }

  @Test
  void familiesThatCannotExpireRefuse() throws IOException {
    try (Database database = open()) {
      FamilyDescriptor merging = FamilyDescriptor.builder("f").mergeOperator("max").build();
      FamilyDescriptor keeping =
          FamilyDescriptor.builder("f").keepDeletedCells(KeepDeletedCells.TRUE).build();
      Put put = new Put(ROW).setTtlMillis(70).addColumn(FAMILY, QUALIFIER, bytes("v"));
      Table merged = created(database, TableDescriptor.builder("merged").family(merging).build());
      Table kept = created(database, TableDescriptor.builder("kept").family(keeping).build());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> merged.put(put))
          .withMessageContaining("family f has a merge operator");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> kept.put(put))
          .withMessageContaining("family f keeps deleted cells");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Put(ROW).setTtlMillis(0))
        .withMessageContaining("0 ms");
  }

  private static TableDescriptor filtered(String filter, boolean reads) {
    FamilyDescriptor.Builder family =
        FamilyDescriptor.builder("f").compactionFilter(filter).filtersReads(reads);
    return TableDescriptor.builder("t").family(family.build()).build();
  }

  private static Table created(Database database, TableDescriptor table) throws IOException {
    database.createTable(table);
    return database.table(table.name());
  }

  private static void put(Table table, String row, String value) throws IOException {
    table.put(new Put(bytes(row)).addColumn(FAMILY, QUALIFIER, bytes(value)));
  }

  private static boolean exists(Table table, String row) throws IOException {
    Get get = new Get(bytes(row)).addColumn(FAMILY, QUALIFIER);
    return !table.get(get).isEmpty();
  }

  @Test
  void whatAFilterDropsIsSeenUntilItIsCompacted() throws IOException {
    try (Database database = open()) {
      Table table = created(database, filtered("x", false));
      put(table, "a", "older");
      put(table, "a", "x");
      put(table, "b", "y");
      assertThat(exists(table, "a")).isTrue();
      database.flush();
      // There may be older versions in files that the flush does not see.
      assertThat(exists(table, "a")).isTrue();
      database.majorCompact("t");
      assertThat(exists(table, "a")).isFalse();
      assertThat(exists(table, "b")).isTrue();
    }
  }

  @Test
  void whatAFilterDropsIsHiddenAtOnceIfReadsAskIt() throws IOException {
    try (Database database = open()) {
      Table table = created(database, filtered("x", true));
      put(table, "a", "older");
      put(table, "a", "x");
      assertThat(exists(table, "a")).isFalse();
      assertThat(table.get(new Get(bytes("a"))).isEmpty()).isTrue();
      database.flush();
      database.majorCompact("t");
      assertThat(exists(table, "a")).isFalse();
      put(table, "a", "y");
      assertThat(exists(table, "a")).isTrue();
    }
  }

  @Test
  void aSnapshotKeepsWhatAFilterDrops() throws IOException {
    try (Database database = open()) {
      Table table = created(database, filtered("x", false));
      try (Snapshot before = database.snapshot()) {
        put(table, "a", "x");
        database.flush();
        database.majorCompact("t");
        assertThat(exists(table, "a")).isTrue();
        assertThat(table.get(new Get(bytes("a")).setSnapshot(before)).isEmpty()).isTrue();
      }
    }
  }

  /** Nobody writes to the table any more, so nothing else would compact it. */
  @Test
  void aFileWhoseCellsHaveAllExpiredIsDropped() throws IOException {
    try (Database database = DatabaseEngine.open(disk, options().compactWhenIdle(false).build())) {
      FamilyDescriptor.Builder family =
          FamilyDescriptor.builder(KeyValueStore.FAMILY).ttlMillis(100);
      KeyValueStore store = database.keyValueStore("s", family.build());
      KeyValueStore keeper =
          database.keyValueStore("keeper", family.maxVersions(1).minVersions(1).build());
      for (int i = 0; i < 3; i++) {
        store.put(bytes("row" + i), ROW);
        keeper.put(bytes("row" + i), ROW);
        database.flush();
      }
      now.addAndGet(90);
      store.put(bytes("last"), ROW);
      database.flush();
      now.addAndGet(11);
      Await.await("files", () -> filesOf(database, "s"), count -> count == 1);
      assertThat(store.get(bytes("last"))).isEqualTo(ROW);
      assertThat(filesOf(database, "keeper")).isEqualTo(3);
      assertThat(keeper.get(bytes("row1"))).isEqualTo(ROW);
    }
  }

  private static long filesOf(Database database, String table) throws IOException {
    return database.statistics().tables().stream()
        .filter(statistics -> statistics.name().equals(table))
        .flatMap(statistics -> statistics.stores().stream())
        .mapToLong(statistics -> statistics.files().count())
        .sum();
  }

  @Test
  void aSnapshotDoesNotKeepWhatExpires() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(ROW, bytes("v"), 100);
      try (Snapshot snapshot = database.snapshot();
          Transaction transaction = database.beginTransaction()) {
        KeyValueStore own = transaction.keyValueStore("s");
        assertThat(store.at(snapshot).get(ROW)).isEqualTo(bytes("v"));
        assertThat(own.get(ROW)).isEqualTo(bytes("v"));
        now.addAndGet(101);
        assertThat(store.at(snapshot).get(ROW)).isNull();
        assertThat(own.get(ROW)).isNull();
      }
    }
  }

  @Test
  void aFilterJudgesAnUncommittedValueAsOneOfTheTimeOfTheRead() throws IOException {
    CompactionFilter dropsOldAndX =
        cell ->
            cell.timestamp() < cell.nowMillis() - 100
                ? CompactionFilter.Decision.DROP
                : DROPS_X.decide(cell);
    DatabaseOptions options = options().compactionFilter("x", dropsOldAndX).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      Table table = created(database, filtered("x", true));
      try (Transaction transaction = database.beginTransaction()) {
        Table own = transaction.table("t");
        put(own, "a", "y");
        put(own, "b", "x");
        own.put(new Put(bytes("c")).addColumn(FAMILY, QUALIFIER, now.get(), bytes("y")));
        now.addAndGet(101);
        assertThat(exists(own, "a")).isTrue();
        assertThat(exists(own, "b")).isFalse();
        assertThat(exists(own, "c")).isFalse();
        transaction.commit();
      }
      assertThat(exists(table, "a")).isTrue();
      assertThat(exists(table, "b")).isFalse();
      assertThat(exists(table, "c")).isFalse();
    }
  }

  @Test
  void aFilterIsSetAndRemovedLater() throws IOException {
    try (Database database = open()) {
      Table table = created(database, TableDescriptor.of("t", "f"));
      put(table, "a", "x");
      database.alterTable(filtered("x", true));
      assertThat(exists(table, "a")).isFalse();
      database.alterTable(TableDescriptor.of("t", "f"));
      assertThat(exists(table, "a")).isTrue();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> database.alterTable(filtered("unknown", false)))
          .withMessageContaining("unknown")
          .withMessageContaining("[x]");
    }
  }

  @Test
  void withoutItsFilterAFamilyKeepsItsCells() throws IOException {
    try (Database database = open()) {
      put(created(database, filtered("x", true)), "a", "x");
    }
    try (Database database = DatabaseEngine.open(disk, options().build())) {
      Table table = database.table("t");
      database.flush();
      database.majorCompact("t");
      assertThatThrownBy(() -> exists(table, "a"))
          .isInstanceOf(CompactionFilterException.class)
          .hasMessageContaining("compaction filter x of family f");
      FamilyDescriptor family = table.descriptor().families().get(0);
      TableDescriptor.Builder altered = TableDescriptor.builder("t");
      database.alterTable(altered.family(family.toBuilder().filtersReads(false).build()).build());
      assertThat(exists(table, "a")).isTrue();
    }
  }

  @Test
  void aFilterThatRunsOutOfMemoryKeepsItsCells() throws IOException {
    CompactionFilter failing =
        cell -> {
          throw new OutOfMemoryError("on purpose");
        };
    DatabaseOptions options = options().compactionFilter("failing", failing).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      assertKept(created(database, filtered("failing", false)), database);
    }
  }

  /** Asserts that a flush and a compaction keep what the filter of a table fails to judge. */
  private static void assertKept(Table table, Database database) throws IOException {
    put(table, "a", "x");
    database.flush();
    database.majorCompact("t");
    assertThat(exists(table, "a")).isTrue();
    assertThat(database.statistics().writes().filterFailures()).isPositive();
  }

  static List<Throwable> whatFiltersThrow() {
    return List.of(
        new IllegalStateException("on purpose"),
        new TimeoutException("on purpose"),
        new IOException("on purpose"),
        new Error("on purpose"));
  }

  @ParameterizedTest
  @MethodSource("whatFiltersThrow")
  void aFilterThatFailsKeepsItsCellsAndIsCounted(Throwable thrown) throws IOException {
    CompactionFilter failing =
        cell -> {
          throw Undeclared.thrown(thrown);
        };
    DatabaseOptions options = options().compactionFilter("failing", failing).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      Table table = created(database, filtered("failing", false));
      assertKept(table, database);
      database.alterTable(filtered("failing", true));
      assertThatThrownBy(() -> exists(table, "a"))
          .isInstanceOf(CompactionFilterException.class)
          .hasMessageContaining("on purpose");
    }
  }

  /** On a thread of the database a call that waits for this thread would never end. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void aFilterMustNotWaitForItself() throws IOException {
    AtomicReference<Database> opened = new AtomicReference<>();
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    CompactionFilter waiting =
        cell -> {
          if (Thread.currentThread().getName().startsWith("accordion-compaction-")) {
            thrown.add(catchThrowable(() -> opened.get().flush()));
            thrown.add(catchThrowable(() -> opened.get().flush("t")));
            thrown.add(catchThrowable(() -> opened.get().compact("t")));
            thrown.add(catchThrowable(() -> opened.get().close()));
          }
          return CompactionFilter.Decision.KEEP;
        };
    DatabaseOptions options = options().compactionFilter("waiting", waiting).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      opened.set(database);
      put(created(database, filtered("waiting", false)), "a", "x");
      database.flush();
      database.majorCompact("t");
    }
    assertThat(thrown)
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(each)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                        "must not flush, compact, refresh or close the database"));
  }

  @Test
  void descriptorsThatContradictThemselvesAreRefused() {
    FamilyDescriptor.Builder both =
        FamilyDescriptor.builder("f").mergeOperator("max").compactionFilter("x");
    assertThatIllegalArgumentException().isThrownBy(both::build).withMessageContaining("max");
    FamilyDescriptor.Builder keeping =
        FamilyDescriptor.builder("f").keepDeletedCells(KeepDeletedCells.TTL).compactionFilter("x");
    assertThatIllegalArgumentException().isThrownBy(keeping::build).withMessageContaining("keeps");
    FamilyDescriptor.Builder none = FamilyDescriptor.builder("f").filtersReads(true);
    assertThatIllegalArgumentException()
        .isThrownBy(none::build)
        .withMessageContaining("names none");
    FamilyDescriptor family =
        FamilyDescriptor.builder("f")
            .maxVersions(3)
            .minVersions(2)
            .ttlMillis(50)
            .compactionFilter("x")
            .filtersReads(true)
            .build();
    assertThat(FamilyDescriptor.ofAttributes("f", family.attributes())).isEqualTo(family);
    assertThat(family.versionRules()).isEqualTo(new VersionRules(3, 2, 50, KeepDeletedCells.FALSE));
  }
}
