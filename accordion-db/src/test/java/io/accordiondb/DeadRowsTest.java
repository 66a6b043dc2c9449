// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestData.value;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestData;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.CacheStatistics.Lookups;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Long runs of deleted rows, which readers skip once one of them has passed them. */
class DeadRowsTest {
  private static final byte[] FAMILY = KeyValueStore.FAMILY.getBytes(US_ASCII);
  private static final int ROWS = 3_000;

  private final MemoryStorage disk = new MemoryStorage();
  private final AtomicLong now = new AtomicLong(1_000_000);
  private Database database;
  private KeyValueStore store;

  @BeforeEach
  void open() throws IOException {
    database =
        DatabaseEngine.open(
            disk,
            DatabaseOptions.builder()
                .memoryBytes(4 << 20)
                .compactWhenIdle(false)
                .clock(() -> Instant.ofEpochMilli(now.get()))
                .build());
    store = database.keyValueStore("s");
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private void fill() throws IOException {
    for (int i = 0; i < ROWS; i++) {
      store.put(key(i), value(i));
    }
    database.flush();
  }

  private void delete(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      store.delete(key(i));
    }
  }

  private long blocksOf(IoRunnable read) throws IOException {
    long before = blocks();
    read.run();
    return blocks() - before;
  }

  private long blocks() throws IOException {
    Lookups data = database.statistics().cache().of(BlockKind.DATA);
    return data.hits() + data.misses();
  }

  private interface IoRunnable {
    void run() throws IOException;
  }

  private String first() throws IOException {
    KeyValue entry = store.first();
    return entry == null ? "" : TestData.text(entry.key());
  }

  private String last() throws IOException {
    KeyValue entry = store.last();
    return entry == null ? "" : TestData.text(entry.key());
  }

  private static String text(int number) {
    return TestData.text(key(number));
  }

  @Test
  void theHeadOfAQueueIsFoundAtOnceAlthoughItsEntriesAreStillInAFile() throws IOException {
    fill();
    delete(0, 2_000);
    long walked = blocksOf(() -> assertThat(first()).isEqualTo(text(2_000)));
    assertThat(blocksOf(() -> assertThat(first()).isEqualTo(text(2_000)))).isLessThan(walked / 4);
    for (int i = 2_000; i < 2_900; i++) {
      assertThat(first()).isEqualTo(text(i));
      store.delete(key(i));
    }
    assertThat(blocksOf(() -> assertThat(first()).isEqualTo(text(2_900)))).isLessThan(walked / 4);
  }

  @Test
  void theEndOfAStackIsFoundAtOnce() throws IOException {
    fill();
    delete(1_000, ROWS);
    long walked = blocksOf(() -> assertThat(last()).isEqualTo(text(999)));
    assertThat(blocksOf(() -> assertThat(last()).isEqualTo(text(999)))).isLessThan(walked / 4);
  }

  @Test
  void anEmptyStoreIsEmptyAtOnce() throws IOException {
    fill();
    delete(0, ROWS);
    long walked = blocksOf(() -> assertThat(first()).isEmpty());
    assertThat(blocksOf(() -> assertThat(first()).isEmpty())).isLessThan(walked / 4);
    assertThat(blocksOf(() -> assertThat(last()).isEmpty())).isLessThan(walked / 4);
  }

  @Test
  void whatIsWrittenLaterIsSeenAndWhatEarlierReadersSeeStays() throws IOException {
    fill();
    try (Snapshot before = database.snapshot()) {
      delete(0, 2_000);
      assertThat(first()).isEqualTo(text(2_000));
      store.put(key(700), bytes("again"));
      assertThat(first()).isEqualTo(text(700));
      database.flush();
      assertThat(first()).isEqualTo(text(700));
      assertThat(store.at(before).first().key()).isEqualTo(key(0));
    }
    assertThat(store.get(key(5))).isNull();
    try (Transaction transaction = database.beginTransaction()) {
      KeyValueStore own = transaction.keyValueStore("s");
      own.put(key(3), bytes("own"));
      assertThat(own.first().key()).isEqualTo(key(3));
      transaction.rollback();
    }
    assertThat(first()).isEqualTo(text(700));
  }

  @Test
  void whatATransactionHasDeletedIsSeenByOthersAndAfterARollback() throws IOException {
    fill();
    try (Transaction transaction = database.beginTransaction()) {
      KeyValueStore own = transaction.keyValueStore("s");
      for (int i = 0; i < 200; i++) {
        own.delete(key(i));
      }
      for (int i = 0; i < 2; i++) {
        assertThat(own.first().key()).isEqualTo(key(200));
        assertThat(first()).isEqualTo(text(0));
      }
      transaction.rollback();
    }
    assertThat(first()).isEqualTo(text(0));
    assertThat(rows(database.table("s"))).hasSize(ROWS);
  }

  @Test
  void rowsWithoutTheColumnOfAScanAreSeenByOthers() throws IOException {
    database.createTable(TableDescriptor.of("t", KeyValueStore.FAMILY));
    Table table = database.table("t");
    for (int i = 0; i < 200; i++) {
      table.put(new Put(key(i)).addColumn(FAMILY, bytes("a"), bytes("v")));
    }
    for (String other : List.of("A", "b")) {
      try (ResultScanner none = table.scan(new Scan().addColumn(FAMILY, bytes(other)))) {
        assertThat(none.next()).isNull();
      }
      assertThat(rows(table)).hasSize(200);
    }
  }

  @Test
  void anEntryThatHasExpiredByItselfIsSeenAgainIfTheClockIsSetBack() throws IOException {
    // Else a compaction in memory may drop what has expired.
    try (Snapshot before = database.snapshot()) {
      for (int i = 0; i < 200; i++) {
        store.put(key(i), value(i), 10);
      }
      store.put(key(200), value(200));
      now.addAndGet(100);
      assertThat(first()).isEqualTo(text(200));
      assertThat(first()).isEqualTo(text(200));
      now.addAndGet(-100);
      assertThat(first()).isEqualTo(text(0));
      assertThat(rows(database.table("s"))).hasSize(201);
      assertThat(store.at(before).get(key(0))).isNull();
    }
  }

  /** The rows of another column are not those of the store. */
  @Test
  void rowsOfOtherColumnsAreNotSkipped() throws IOException {
    Table table = database.table("s");
    fill();
    table.put(new Put(key(50)).addColumn(FAMILY, bytes("other"), bytes("v")));
    delete(0, 2_000);
    assertThat(first()).isEqualTo(text(2_000));
    assertThat(first()).isEqualTo(text(2_000));
    try (ResultScanner rows = table.scan(new Scan())) {
      assertThat(rows.next().row()).isEqualTo(key(50));
    }
  }

  /** The delete of its version takes from an expired put what it hides. */
  @Test
  void whatAnExpiredPutHidesComesBackIfThatPutIsDeleted() throws IOException {
    FamilyDescriptor twoVersions =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .maxVersions(2)
            .memStorePolicy(MemStorePolicy.of(Policy.NONE))
            .build();
    database.createTable(TableDescriptor.builder("t").family(twoVersions).build());
    Table table = database.table("t");
    for (int i = 0; i < 200; i++) {
      table.put(new Put(key(i)).addColumn(FAMILY, bytes(""), 1, bytes("older")));
      table.put(new Put(key(i)).addColumn(FAMILY, bytes(""), 2, bytes("newer")).setTtlMillis(10));
    }
    now.addAndGet(100);
    assertThat(rows(table)).isEmpty();
    assertThat(rows(table)).isEmpty();
    table.delete(new Delete(key(7)).addColumn(FAMILY, bytes(""), 2));
    assertThat(rows(table)).containsExactly(text(7));
  }

  @Test
  void whatHasExpiredIsSeenAgainIfTheClockIsSetBack() throws IOException {
    FamilyDescriptor family =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .memStorePolicy(MemStorePolicy.of(Policy.NONE))
            .ttlMillis(10)
            .build();
    database.createTable(TableDescriptor.builder("t").family(family).build());
    Table table = database.table("t");
    for (int i = 0; i < 200; i++) {
      table.put(new Put(key(i)).addColumn(FAMILY, bytes(""), now.get(), bytes("v")));
    }
    table.put(new Put(key(200)).addColumn(FAMILY, bytes(""), now.get() + 1_000, bytes("v")));
    now.addAndGet(100);
    assertThat(rows(table)).containsExactly(text(200));
    now.addAndGet(-100);
    assertThat(rows(table)).hasSize(201);
  }

  @Test
  void aFamilyThatIsToKeepDeletedCellsShowsThoseThatNoCompactionHasDropped() throws IOException {
    FamilyDescriptor.Builder family =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .memStorePolicy(MemStorePolicy.of(Policy.NONE));
    database.createTable(TableDescriptor.builder("t").family(family.build()).build());
    Table table = database.table("t");
    for (int i = 0; i < 200; i++) {
      table.put(new Put(key(i)).addColumn(FAMILY, bytes(""), 1, bytes("v")));
      table.delete(new Delete(key(i)).addColumns(FAMILY, bytes(""), 2));
    }
    assertThat(rows(table)).isEmpty();
    database.alterTable(
        TableDescriptor.builder("t")
            .family(family.keepDeletedCells(KeepDeletedCells.TRUE).build())
            .build());
    try (ResultScanner past = table.scan(new Scan().setTimeRange(0, 2))) {
      assertThat(past.next().row()).isEqualTo(key(0));
    }
  }

  @Test
  void aFamilyThatKeepsDeletedCellsShowsThemToReadersOfThePast() throws IOException {
    FamilyDescriptor keeping =
        FamilyDescriptor.builder(KeyValueStore.FAMILY)
            .versionRules(new VersionRules(1, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE))
            .build();
    database.createTable(TableDescriptor.builder("t").family(keeping).build());
    Table table = database.table("t");
    for (int i = 0; i < 200; i++) {
      table.put(new Put(key(i)).addColumn(FAMILY, bytes(""), 1, bytes("v")));
      table.delete(new Delete(key(i)).addColumns(FAMILY, bytes(""), 2));
    }
    assertThat(rows(table)).isEmpty();
    try (ResultScanner past = table.scan(new Scan().setTimeRange(0, 2))) {
      assertThat(past.next().row()).isEqualTo(key(0));
    }
  }

  private static List<String> rows(Table table) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.scan(new Scan())) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(TestData.text(row.row()));
      }
    }
    return rows;
  }

  /**
   * Runs of rows that come and go, read from both ends and from the middle, now and at snapshots.
   */
  @Test
  void agreesWithASortedMap() throws IOException {
    long seed = Long.getLong("model.seed", System.nanoTime());
    Random random = new Random(seed);
    TreeMap<String, String> model = new TreeMap<>();
    List<Map.Entry<Snapshot, TreeMap<String, String>>> snapshots = new ArrayList<>();
    for (int step = 0; step < 400; step++) {
      int from = random.nextInt(ROWS);
      int to = Math.min(ROWS, from + 1 + random.nextInt(400));
      switch (random.nextInt(10)) {
        case 0, 1 -> putAll(model, from, to, step);
        case 2, 3, 4 -> deleteAll(model, from, to);
        case 5 -> {
          store.deleteRange(key(from), key(to));
          model.subMap(text(from), text(to)).clear();
        }
        case 6 -> putAll(model, from, from + 1, step);
        case 7 -> database.flush();
        case 8 -> {
          if (random.nextInt(4) == 0) {
            database.majorCompact("s");
          }
        }
        default -> {
          snapshots.add(Map.entry(database.snapshot(), new TreeMap<>(model)));
          if (snapshots.size() > 3) {
            snapshots.remove(0).getKey().close();
          }
        }
      }
      check("seed " + seed + ", step " + step, store, model, random);
      for (Map.Entry<Snapshot, TreeMap<String, String>> snapshot : snapshots) {
        check("seed " + seed, store.at(snapshot.getKey()), snapshot.getValue(), random);
      }
    }
    for (Map.Entry<Snapshot, TreeMap<String, String>> snapshot : snapshots) {
      snapshot.getKey().close();
    }
  }

  private void putAll(TreeMap<String, String> model, int from, int to, int step)
      throws IOException {
    for (int i = from; i < to; i++) {
      store.put(key(i), value(step));
      model.put(text(i), TestData.text(value(step)));
    }
  }

  private void deleteAll(TreeMap<String, String> model, int from, int to) throws IOException {
    delete(from, to);
    model.subMap(text(from), text(to)).clear();
  }

  private static void check(
      String what, KeyValueReads reads, TreeMap<String, String> model, Random random)
      throws IOException {
    byte[] from = random.nextInt(3) == 0 ? null : key(random.nextInt(ROWS));
    byte[] to = random.nextInt(3) == 0 ? null : key(random.nextInt(ROWS));
    if (from != null && to != null && TestData.text(from).compareTo(TestData.text(to)) > 0) {
      return;
    }
    Map<String, String> part = from == null ? model : model.tailMap(TestData.text(from), true);
    if (to != null) {
      part = ((TreeMap<String, String>) new TreeMap<>(part)).headMap(TestData.text(to), false);
    }
    int limit = random.nextBoolean() ? 1 : Integer.MAX_VALUE;
    List<String> expected = part.keySet().stream().limit(limit).toList();
    assertThat(keys(reads.range(from, to), limit)).as(what).isEqualTo(expected);
    List<String> reversed = new TreeMap<>(part).descendingKeySet().stream().limit(limit).toList();
    assertThat(keys(reads.reverseRange(from, to), limit)).as(what).isEqualTo(reversed);
    try (KeyValueCursor cursor = reads.cursor()) {
      String sought = text(random.nextInt(ROWS));
      boolean found = cursor.seek(bytes(sought));
      String next = model.ceilingKey(sought);
      assertThat(found ? TestData.text(cursor.keyBytes()) : null).as(what).isEqualTo(next);
    }
  }

  private static List<String> keys(KeyValueIterator entries, int limit) {
    List<String> keys = new ArrayList<>();
    try (entries) {
      while (keys.size() < limit && entries.hasNext()) {
        keys.add(TestData.text(entries.next().key()));
      }
    }
    return keys;
  }
}
