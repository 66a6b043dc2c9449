// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.key;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.encoding.CellType;
import io.accordiondb.fixtures.Await;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.merge.MergeOperators;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletions of ranges, where they meet everything else. */
class DeleteRangeTest {
  private static final byte[] FAMILY = KeyValueStore.FAMILY.getBytes(US_ASCII);
  private static final byte[] NO_BOUND = {};

  private final MemoryStorage disk = new MemoryStorage();

  private Database open() throws IOException {
    return DatabaseEngine.open(disk, options());
  }

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(8 << 20).build();
  }

  private static byte[] value(int number) {
    return ("value" + number).getBytes(US_ASCII);
  }

  private static void fill(KeyValueStore store, int from, int to) throws IOException {
    KeyValueBatch batch = store.writeBatch();
    for (int i = from; i < to; i++) {
      batch.put(key(i), value(i));
    }
    batch.commit();
  }

  private static List<String> keys(KeyValueReads store) throws IOException {
    List<String> keys = new ArrayList<>();
    try (KeyValueIterator range = store.range(null, null)) {
      range.forEachRemaining(entry -> keys.add(new String(entry.key(), US_ASCII)));
    }
    return keys;
  }

  private static void awaitTables(Database database, int count) throws IOException {
    await("the number of tables", database::statistics, now -> now.files().count() == count);
  }

  @Test
  void itWritesOneMarkerHoweverManyKeysThereAre() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 10_000);
      long before = database.statistics().log().bytesAppended();
      store.deleteRange(key(10), key(9_990));
      assertThat(database.statistics().log().bytesAppended() - before).isLessThan(200);
      assertThat(keys(store)).hasSize(20);
      assertThat(store.get(key(9))).isEqualTo(value(9));
      assertThat(store.get(key(10))).isNull();
      assertThat(store.get(key(9_989))).isNull();
      assertThat(store.get(key(9_990))).isEqualTo(value(9_990));
      assertThat(store.ceiling(key(10)).key()).isEqualTo(key(9_990));
      assertThat(store.floor(key(9_989)).key()).isEqualTo(key(9));
    }
  }

  @Test
  void whatIsWrittenLaterStaysInMemoryAndInFiles() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 100);
      database.flush();
      store.deleteRange(key(20), key(80));
      store.put(key(50), value(5));
      assertThat(store.get(key(50))).isEqualTo(value(5));
      database.flush();
      assertThat(store.get(key(50))).isEqualTo(value(5));
      assertThat(keys(store)).hasSize(41);
      database.majorCompact("s");
      assertThat(store.get(key(50))).isEqualTo(value(5));
      assertThat(keys(store)).hasSize(41);
      assertThat(store.approximateCount()).isEqualTo(41);
    }
  }

  @Test
  void itIsThereAfterAnOrderlyEndAndAfterAKill() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 100);
      database.flush();
      store.deleteRange(null, key(50));
    }
    try (Database database = open()) {
      assertThat(keys(database.keyValueStore("s"))).hasSize(50);
      database.keyValueStore("s").deleteRange(key(90), null);
      try (Database killed = DatabaseEngine.open(disk.copy(), options())) {
        assertThat(keys(killed.keyValueStore("s"))).hasSize(40);
      }
    }
  }

  @Test
  void aSnapshotTakenBeforeStillSeesWhatItDeletes() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 100);
      try (Snapshot before = database.snapshot()) {
        store.deleteRange(null, null);
        database.flushInMemory("s");
        database.flush();
        database.majorCompact("s");
        assertThat(keys(store)).isEmpty();
        assertThat(keys(store.at(before))).hasSize(100);
        assertThat(store.at(before).get(key(7))).isEqualTo(value(7));
      }
      database.majorCompact("s");
      assertThat(database.statistics().files().count()).isZero();
    }
  }

  @Test
  void sortedTablesThatItCoversGoWithoutACompactionOfOthers() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      for (int file = 0; file < 3; file++) {
        fill(store, file * 1000, file * 1000 + 1000);
        database.flush();
      }
      assertThat(database.statistics().files().count()).isEqualTo(3);
      store.deleteRange(null, key(2000));
      database.flush();
      awaitTables(database, 1);
      assertThat(keys(store)).hasSize(1000);
      store.deleteRange(null, null);
      database.flush();
      awaitTables(database, 0);
    }
    try (Database database = open()) {
      assertThat(keys(database.keyValueStore("s"))).isEmpty();
    }
  }

  /** The sorted table has live rows at both ends, and is too large to be merged with new ones. */
  @ParameterizedTest
  @EnumSource(
      value = CompactionStyle.class,
      names = {"TIERED", "LEVELED"})
  void theSpaceComesBackAlthoughOtherRowsOfTheSortedTableLive(CompactionStyle style)
      throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(8 << 20).compactWhenIdle(false).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      database.createTable(
          TableDescriptor.builder("s")
              .family(FamilyDescriptor.builder(KeyValueStore.FAMILY).compactionStyle(style).build())
              .build());
      KeyValueStore store = database.keyValueStore("s");
      fillWithLongValues(store, 1000);
      database.flush();
      database.majorCompact("s");
      long all = database.statistics().files().bytes();
      store.deleteRange(key(10), key(450));
      try (Snapshot before = database.snapshot()) {
        store.deleteRange(key(500), key(980));
        database.flush();
        assertThat(store.at(before).get(key(600))).isNotNull();
        assertThat(database.statistics().files().bytes()).isGreaterThanOrEqualTo(all);
      }
      await("space", database::statistics, now -> now.files().bytes() < all / 8);
      assertThat(keys(store)).hasSize(80);
    }
  }

  /** By then a sorted table has cells that are newer than the range tombstone. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSpaceComesBackAlthoughASnapshotHasKeptTheRowsBesideLaterOnes(boolean merged)
      throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(8 << 20).compactWhenIdle(false).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore("s");
      fillWithLongValues(store, 1000);
      if (merged) {
        database.flush();
      }
      try (Snapshot before = database.snapshot()) {
        store.deleteRange(key(10), key(980));
        store.put(key(0), new byte[1]);
        database.flush();
        if (merged) {
          database.majorCompact("s");
        }
        assertThat(store.at(before).get(key(600))).isNotNull();
        assertThat(database.statistics().files().count()).isEqualTo(1);
      }
      await("space", database::statistics, now -> now.files().bytes() < 200_000);
      assertThat(keys(store)).hasSize(30);
    }
  }

  /** The table itself says which range tombstones were applied to it. */
  @Test
  void theSpaceOfRowsThatASnapshotHasKeptComesBackAfterAnOpening() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(8 << 20).compactWhenIdle(false).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore("s");
      fillWithLongValues(store, 1000);
      Snapshot held = database.snapshot();
      store.deleteRange(key(10), key(980));
      store.put(key(0), new byte[1]);
      database.flush();
      assertThat(store.at(held).get(key(600))).isNotNull();
    }
    assertThat(new Verifier(disk).verify().isSound()).isTrue();
    try (Database database = DatabaseEngine.open(disk, options)) {
      await("space", database::statistics, now -> now.files().bytes() < 200_000);
      assertThat(keys(database.keyValueStore("s"))).hasSize(30);
    }
  }

  private static void fillWithLongValues(KeyValueStore store, int keys) throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < keys; i++) {
      byte[] value = new byte[3000];
      random.nextBytes(value);
      store.put(key(i), value);
    }
  }

  @Test
  void changesOfABatchTakeEffectInTheirOrder() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(key(1), value(1));
      store
          .writeBatch()
          .put(key(2), value(2))
          .deleteRange(null, key(5))
          .put(key(3), value(3))
          .deleteRange(key(4), key(6))
          .put(key(1), value(4))
          .commit();
      assertThat(keys(store)).containsExactly("key000001", "key000003");
      assertThat(store.get(key(1))).isEqualTo(value(4));
    }
    try (Database database = open()) {
      assertThat(keys(database.keyValueStore("s"))).containsExactly("key000001", "key000003");
    }
  }

  @Test
  void asynchronousWritesTakeItToo() throws Exception {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 10);
      Stages.await(
          database.writeAsync(
              new WriteBatch().deleteRange(store, key(3), null).put(store, key(7), value(7))));
      assertThat(keys(store)).hasSize(4);
    }
  }

  @Test
  void itReachesAllRegionsAndStaysWithThemWhereTheyAreSplitAndMerged() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 100);
      database.flush();
      store.deleteRange(key(20), key(80));
      database.flush();
      database.splitRegion("s", key(50));
      assertThat(keys(store)).hasSize(40);
      store.deleteRange(key(10), key(90));
      assertThat(keys(store)).hasSize(20);
      database.mergeRegions("s", key(1));
      assertThat(keys(store)).hasSize(20);
      database.majorCompact("s");
      assertThat(keys(store)).hasSize(20);
      assertThat(store.approximateCount()).isEqualTo(20);
    }
  }

  @Test
  void cellsOfATimeToComeAndThoseThatAFamilyKeepsAreGone() throws IOException {
    try (Database database = open()) {
      database.createTable(
          TableDescriptor.builder("t")
              .family(
                  FamilyDescriptor.builder("f")
                      .versionRules(
                          new VersionRules(3, 1, VersionRules.FOREVER, KeepDeletedCells.TRUE))
                      .build())
              .build());
      Table table = database.table("t");
      byte[] family = "f".getBytes(US_ASCII);
      long later = System.currentTimeMillis() + 1_000_000_000;
      for (long time : new long[] {1, 2, later}) {
        table.put(new Put(key(1)).addColumn(family, NO_BOUND, time, value(1)));
      }
      database.flush();
      table.deleteRange(NO_BOUND, NO_BOUND);
      Get all = new Get(key(1)).setAllVersions().setTimeRange(0, 100);
      assertThat(table.get(all).isEmpty()).isTrue();
      database.flush();
      database.majorCompact("t");
      assertThat(table.get(all).isEmpty()).isTrue();
      assertThat(database.statistics().files().count()).isZero();
    }
  }

  @Test
  void aCounterBeginsAgain() throws IOException {
    try (Database database = open()) {
      FamilyDescriptor counters =
          FamilyDescriptor.builder(KeyValueStore.FAMILY)
              .mergeOperator(MergeOperators.counter().name())
              .build();
      KeyValueStore store = database.keyValueStore("c", counters);
      byte[] one = ByteBuffer.allocate(Long.BYTES).putLong(1).array();
      for (int i = 0; i < 10; i++) {
        store.merge(key(1), one);
      }
      database.flush();
      store.merge(key(1), one);
      store.deleteRange(null, null);
      store.merge(key(1), one);
      store.merge(key(1), one);
      for (int round = 0; round < 3; round++) {
        assertThat(ByteBuffer.wrap(store.get(key(1))).getLong()).isEqualTo(2);
        if (round == 0) {
          database.flush();
        } else {
          database.majorCompact("c");
        }
      }
    }
  }

  @Test
  void transactionsThatReadOrWroteItsRowsConflict() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 10);
      try (Transaction writes = database.beginTransaction()) {
        writes.keyValueStore("s").put(key(5), value(0));
        store.deleteRange(key(5), key(6));
        assertThatThrownBy(writes::commit).isInstanceOf(TransactionConflictException.class);
      }
      try (Transaction reads = database.beginTransaction(Isolation.SERIALIZABLE)) {
        assertThat(keys(reads.keyValueStore("s"))).hasSize(9);
        reads.keyValueStore("s").put(key(50), value(0));
        store.deleteRange(key(7), null);
        assertThatThrownBy(reads::commit).isInstanceOf(TransactionConflictException.class);
      }
      try (Transaction elsewhere = database.beginTransaction(Isolation.SERIALIZABLE)) {
        assertThat(elsewhere.keyValueStore("s").get(key(1))).isEqualTo(value(1));
        elsewhere.keyValueStore("s").put(key(2), value(0));
        store.deleteRange(key(3), null);
        elsewhere.commit();
      }
      assertThat(store.get(key(2))).isEqualTo(value(0));
    }
  }

  @Test
  void itIsNoChangeOfOneRow() {
    DeleteRange range = new DeleteRange(key(1), key(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowMutations(key(1)).add(range))
        .withMessageContaining("many rows");
    CheckAndMutate.Builder check = CheckAndMutate.builder(key(1)).ifNotExists(key(1), key(1));
    assertThatIllegalArgumentException().isThrownBy(() -> check.build(range));
  }

  @Test
  void aFeedDeliversOneChange() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 10);
      try (ChangeFeed feed = database.changes()) {
        store.deleteRange(key(3), key(5));
        Change change = feed.next(Duration.ofSeconds(30));
        assertThat(change.cells()).hasSize(1);
        Cell cell = change.cells().get(0).cell();
        assertThat(cell.type()).isEqualTo(CellType.DELETE_RANGE);
        assertThat(cell.row()).isEqualTo(key(3));
        assertThat(cell.value()).isEqualTo(key(5));
        assertThat(cell.family()).isEqualTo(FAMILY);
      }
    }
  }

  @Test
  void manyRangesAreFlushedAndCombined() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      fill(store, 0, 10_000);
      database.flush();
      for (int i = 0; i < 10_000; i += 2) {
        store.deleteRange(key(i), key(i + 1));
      }
      assertThat(keys(store)).hasSize(5000);
      database.flush();
      assertThat(keys(store)).hasSize(5000);
      database.majorCompact("s");
      assertThat(keys(store)).hasSize(5000);
      assertThat(store.approximateCount()).isEqualTo(5000);
    }
    try (Database database = open()) {
      assertThat(keys(database.keyValueStore("s"))).hasSize(5000);
    }
  }

  @Test
  void aQueueDoesNotKeepItsDeletedHeadInMemory() throws IOException {
    try (Database database = openWithRoom()) {
      KeyValueStore queue = database.keyValueStore("s");
      fill(queue, 0, 10);
      for (int i = 0; i < 5000; i++) {
        queue.put(key(10 + i), value(10 + i));
        assertThat(queue.first().key()).isEqualTo(key(i));
        queue.deleteRange(null, key(i + 1));
      }
      assertThat(keys(queue)).hasSize(10);
      assertThat(eliminated(database)).isGreaterThan(2000);
    }
  }

  @Test
  void aStackDoesNotKeepItsDeletedTopInMemory() throws IOException {
    try (Database database = openWithRoom()) {
      KeyValueStore stack = database.keyValueStore("s");
      fill(stack, 0, 10);
      for (int round = 0; round < 50; round++) {
        fill(stack, 10, 110);
        assertThat(stack.last().key()).isEqualTo(key(109));
        stack.deleteRange(key(10), null);
        // Newer than the tombstone, so what it covers cannot be passed by one seek.
        stack.put(key(9), value(round));
        assertThat(stack.last().key()).isEqualTo(key(9));
      }
      assertThat(keys(stack)).hasSize(10);
      assertThat(eliminated(database)).isGreaterThan(2000);
    }
  }

  private static byte[] longKey(int number) {
    return Arrays.copyOf(key(number), 1000);
  }

  /** Without a compaction they would be on the heap, and in each new manifest, for ever. */
  @Test
  void manyDeletedRangesAreAppliedAlthoughNothingElseIsWritten() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(64 << 20).compactWhenIdle(false).build();
    int ranges = 12_000;
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore("s");
      store.put(longKey(0), value(0));
      store.put(longKey(2 * ranges), value(1));
      database.flush();
      for (int i = 1; i < 2 * ranges; i += 2) {
        store.deleteRange(longKey(i), longKey(i + 1));
      }
      database.flush();
      Await.await(
          "a compaction", () -> database.statistics().compactions().count(), count -> count > 0);
    }
    try (Database database = DatabaseEngine.open(disk, options)) {
      assertThat(keys(database.keyValueStore("s"))).hasSize(2);
    }
  }

  /** Opens with so much memory that the active segment would never be full. */
  private Database openWithRoom() throws IOException {
    return DatabaseEngine.open(disk, DatabaseOptions.builder().memoryBytes(256 << 20).build());
  }

  private static long eliminated(Database database) throws IOException {
    return database.statistics().memory().cellsEliminated();
  }

  @ParameterizedTest
  @EnumSource
  void readsBetweenBoundsAreThoseOfAMap(CompactionStyle style) throws IOException {
    Random random = new Random(48);
    try (Database database =
        DatabaseEngine.open(
            disk, DatabaseOptions.builder().memoryBytes(8 << 20).levelFileBytes(4 << 10).build())) {
      database.createTable(
          TableDescriptor.builder("s")
              .family(
                  FamilyDescriptor.builder(KeyValueStore.FAMILY)
                      .blockSizeBytes(1 << 10)
                      .compactionStyle(style)
                      .build())
              .build());
      KeyValueStore store = database.keyValueStore("s");
      TreeMap<Integer, byte[]> model = new TreeMap<>();
      Snapshot snapshot = database.snapshot();
      TreeMap<Integer, byte[]> before = new TreeMap<>();
      for (int step = 0; step < 150; step++) {
        int from = random.nextInt(1000);
        int to = from + random.nextInt(300);
        switch (random.nextInt(6)) {
          case 0, 1 -> {
            fill(store, from, to);
            for (int i = from; i < to; i++) {
              model.put(i, value(i));
            }
          }
          case 2 -> {
            store.deleteRange(key(from), key(to));
            model.subMap(from, to).clear();
          }
          case 3 -> {
            snapshot.close();
            snapshot = database.snapshot();
            before = new TreeMap<>(model);
          }
          case 4 -> database.flush();
          default -> Compactions.compact(database, "s", random.nextBoolean());
        }
        for (int i = 0; i < 5; i++) {
          assertHolds(store, model, random.nextInt(1300), random.nextInt(200));
          assertHolds(store.at(snapshot), before, random.nextInt(1300), random.nextInt(200));
          byte[] row = key(from + i);
          assertThat(database.table("s").get(new Get(row)).value(FAMILY, NO_BOUND))
              .isEqualTo(model.get(from + i));
        }
      }
      snapshot.close();
    }
  }

  private static void assertHolds(
      KeyValueReads store, TreeMap<Integer, byte[]> model, int from, int count) throws IOException {
    int to = from + count;
    List<String> expected = new ArrayList<>();
    for (int number : model.subMap(from, to).keySet()) {
      expected.add(new String(key(number), US_ASCII));
    }
    List<String> found = new ArrayList<>();
    try (KeyValueIterator range = store.range(key(from), key(to))) {
      range.forEachRemaining(entry -> found.add(new String(entry.key(), US_ASCII)));
    }
    assertThat(found).isEqualTo(expected);
    found.clear();
    try (KeyValueIterator range = store.reverseRange(key(from), key(to))) {
      range.forEachRemaining(entry -> found.add(0, new String(entry.key(), US_ASCII)));
    }
    assertThat(found).isEqualTo(expected);
  }
}
