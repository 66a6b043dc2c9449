// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.key;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestData;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.CacheStatistics.Lookups;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many blocks of sorted tables reads need. */
class BlocksReadTest {
  private static final byte[] FAMILY = KeyValueStore.FAMILY.getBytes(US_ASCII);
  private static final int KEYS = 2_000;

  /** Five or six keys fit into a block. */
  private static final int BLOCK_BYTES = 1 << 10;

  private static final int VALUE_BYTES = 150;

  private Database database;
  private KeyValueStore store;

  @BeforeEach
  void open() throws IOException {
    database =
        DatabaseEngine.open(
            new MemoryStorage(),
            DatabaseOptions.builder()
                .memoryBytes(8 << 20)
                .levelFileBytes(32 << 10)
                .compactWhenIdle(false)
                .build());
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  private void create(CompactionStyle style) throws IOException {
    database.createTable(
        TableDescriptor.builder("s")
            .family(
                FamilyDescriptor.builder(KeyValueStore.FAMILY)
                    .blockSizeBytes(BLOCK_BYTES)
                    .compression(Compression.NONE)
                    .compactionStyle(style)
                    .build())
            .build());
    store = database.keyValueStore("s");
    KeyValueBatch batch = store.writeBatch();
    for (int i = 0; i < KEYS; i++) {
      batch.put(key(i), new byte[VALUE_BYTES]);
    }
    batch.commit();
  }

  private long blocksRead() throws IOException {
    Lookups data = database.statistics().cache().of(BlockKind.DATA);
    return data.hits() + data.misses();
  }

  private static List<String> keys(KeyValueIterator entries) {
    List<String> keys = new ArrayList<>();
    try (entries) {
      entries.forEachRemaining(entry -> keys.add(TestData.text(entry.key())));
    }
    return keys;
  }

  private static List<String> keys(IntStream numbers) {
    return numbers.mapToObj(number -> TestData.text(key(number))).toList();
  }

  /** Deletes each key of a range by a range of its own. */
  private void deleteOneByOne(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      store.deleteRange(key(i), key(i + 1));
    }
  }

  @Test
  void aScanDownwardsEndsWithTheRegionWhereItsBoundIs() throws IOException {
    create(CompactionStyle.TIERED);
    database.splitRegion("s", key(1_000));
    database.flush();
    database.majorCompact("s");
    long before = blocksRead();
    assertThat(keys(store.reverseRange(key(1_000), key(1_002))))
        .isEqualTo(List.of("key001001", "key001000"));
    assertThat(blocksRead() - before).isOne();
  }

  @Test
  void aScanDoesNotPassDeletedRangesBehindItsBound() throws IOException {
    create(CompactionStyle.TIERED);
    database.flush();
    deleteOneByOne(10, KEYS - 10);
    long before = blocksRead();
    assertThat(keys(store.range(key(5), key(10)))).isEqualTo(keys(IntStream.range(5, 10)));
    assertThat(blocksRead() - before).isLessThan(5);
    before = blocksRead();
    assertThat(keys(store.reverseRange(key(KEYS - 10), key(KEYS - 8)))).hasSize(2);
    assertThat(blocksRead() - before).isLessThan(5);
  }

  @Test
  void aScanDoesNotPassDeletedCellsBehindItsBoundOneByOne() throws IOException {
    create(CompactionStyle.TIERED);
    try (Snapshot all = database.snapshot()) {
      store.deleteRange(key(10), key(KEYS - 10));
      store.put(key(KEYS), new byte[1]);
      database.flush();
      assertThat(keys(store.at(all).range(null, null))).hasSize(KEYS);
      long before = blocksRead();
      assertThat(keys(store.range(key(5), key(10)))).isEqualTo(keys(IntStream.range(5, 10)));
      assertThat(blocksRead() - before).isLessThan(5);
      before = blocksRead();
      assertThat(keys(store.reverseRange(key(KEYS - 10), key(KEYS - 8)))).hasSize(2);
      assertThat(blocksRead() - before).isLessThan(5);
    }
  }

  @Test
  void aGetDoesNotPassDeletedRangesBehindItsRow() throws IOException {
    create(CompactionStyle.TIERED);
    database.flush();
    deleteOneByOne(10, KEYS);
    long before = blocksRead();
    Result result = database.table("s").get(new Get(key(9)));
    assertThat(result.value(FAMILY, new byte[0])).hasSize(VALUE_BYTES);
    assertThat(blocksRead() - before).isLessThan(5);
  }

  @Test
  void aScanSkipsDeletedCellsOfALevelWhoseOtherFilesAreNewer() throws IOException {
    create(CompactionStyle.LEVELED);
    try (Snapshot all = database.snapshot()) {
      store.deleteRange(key(10), key(KEYS - 10));
      store.put(key(KEYS), new byte[1]);
      database.flush();
      database.majorCompact("s");
      assertThat(keys(store.at(all).range(null, null))).hasSize(KEYS);
      long files = database.statistics().files().count();
      assertThat(files).isGreaterThan(5);
      long before = blocksRead();
      assertThat(keys(store.range(null, null))).hasSize(21);
      assertThat(blocksRead() - before).isLessThan(60);
      before = blocksRead();
      assertThat(keys(store.reverseRange(null, null))).hasSize(21);
      assertThat(blocksRead() - before).isLessThan(120);
    }
  }

  @Test
  void aScanThatSkipsVersionsLeavesFilesWithoutThemAlone() throws IOException {
    database.createTable(
        TableDescriptor.builder("v")
            .family(
                FamilyDescriptor.builder(KeyValueStore.FAMILY)
                    .blockSizeBytes(BLOCK_BYTES)
                    .compression(Compression.NONE)
                    .maxVersions(20)
                    .build())
            .build());
    KeyValueStore versions = database.keyValueStore("v");
    for (int i = 0; i < 100; i++) {
      versions.put(key(i), new byte[VALUE_BYTES]);
      versions.put(key(1_900 + i), new byte[VALUE_BYTES]);
    }
    // The long value ends a block, so the index leads to this block first, and then to the next.
    versions.put(key(99), new byte[2 * BLOCK_BYTES]);
    database.flush();
    Table table = database.table("v");
    for (int i = 101; i < 901; i++) {
      Put put = new Put(key(i));
      for (int version = 1; version <= 12; version++) {
        put.addColumn(FAMILY, new byte[0], version, new byte[1]);
      }
      table.put(put);
    }
    database.flush();
    assertThat(database.statistics().files().count()).isEqualTo(2);
    long before = blocksRead();
    assertThat(keys(versions.range(key(101), key(901)))).hasSize(800);
    assertThat(blocksRead() - before).isLessThan(800);
  }

  @Test
  void aScanBehindTheLongestRowFindsTheNextFileOfItsLevel() throws IOException {
    create(CompactionStyle.LEVELED);
    byte[] longest = new byte[CellLimits.ROW_BYTES_MAX];
    Arrays.fill(longest, (byte) 'l');
    store.put(longest, new byte[1]);
    byte[] behind = longest.clone();
    behind[behind.length - 1]++;
    store.put(behind, new byte[1]);
    database.flush();
    database.majorCompact("s");
    assertThat(database.statistics().files().count()).isGreaterThan(2);
    try (ResultScanner scanner =
        database.table("s").scan(new Scan().setStartRow(longest, Bound.EXCLUSIVE))) {
      Result row = scanner.next();
      assertThat(row).isNotNull();
      assertThat(row.row()).isEqualTo(behind);
      assertThat(scanner.next()).isNull();
    }
  }

  @Test
  void aScanLeavesFilesOfOtherRowsAlone() throws IOException {
    database.createTable(
        TableDescriptor.builder("s")
            .family(FamilyDescriptor.builder(KeyValueStore.FAMILY).build())
            .build());
    store = database.keyValueStore("s");
    for (int i = 0; i < 300; i += 100) {
      store.put(key(i), new byte[1]);
      store.put(key(i + 1), new byte[1]);
      database.flush();
    }
    assertThat(database.statistics().files().count()).isEqualTo(3);
    long before = blocksRead();
    assertThat(keys(store.range(key(100), key(200)))).hasSize(2);
    assertThat(blocksRead() - before).isOne();
    before = blocksRead();
    assertThat(keys(store.reverseRange(key(100), key(200)))).hasSize(2);
    assertThat(blocksRead() - before).isOne();
  }

  @Test
  void aReadOfAColumnSkipsTheOthersOfItsRowWhereOperandsAreMerged() throws IOException {
    database.createTable(
        TableDescriptor.builder("m")
            .family(
                FamilyDescriptor.builder("f")
                    .blockSizeBytes(BLOCK_BYTES)
                    .compression(Compression.NONE)
                    .mergeOperator("append")
                    .build())
            .build());
    Table table = database.table("m");
    byte[] family = "f".getBytes(US_ASCII);
    for (int row = 0; row < 3; row++) {
      Put put = new Put(key(row));
      for (int column = 0; column < KEYS; column++) {
        put.addColumn(family, key(column), new byte[VALUE_BYTES]);
      }
      table.put(put);
      table.merge(new Merge(key(row)).addColumn(family, key(KEYS - 10), new byte[1]));
    }
    database.flush();
    long before = blocksRead();
    Result result = table.get(new Get(key(1)).addColumn(family, key(KEYS - 10)));
    assertThat(result.value(family, key(KEYS - 10))).hasSize(VALUE_BYTES + 1);
    assertThat(blocksRead() - before).isLessThan(10);
    for (boolean reversed : new boolean[] {false, true}) {
      Scan scan =
          new Scan()
              .addColumn(family, key(5))
              .addColumn(family, key(KEYS - 10))
              .setReversed(reversed);
      before = blocksRead();
      try (ResultScanner rows = table.scan(scan)) {
        for (Result row = rows.next(); row != null; row = rows.next()) {
          assertThat(row.cells()).hasSize(2);
        }
      }
      assertThat(blocksRead() - before).isLessThan(60);
    }
  }

  @Test
  void readsLeaveExpiredFilesAlone() throws IOException {
    AtomicLong now = new AtomicLong(1_000_000);
    try (Database timed =
            DatabaseEngine.open(
                new MemoryStorage(),
                DatabaseOptions.builder()
                    .memoryBytes(8 << 20)
                    .compactWhenIdle(false)
                    .clock(() -> Instant.ofEpochMilli(now.get()))
                    .build());
        // Older than what is written, so that the file with it is not dropped.
        Snapshot unused = timed.snapshot()) {
      assertThat(unused).isNotNull();
      timed.createTable(
          TableDescriptor.builder("s")
              .family(FamilyDescriptor.builder(KeyValueStore.FAMILY).ttlMillis(1_000).build())
              .build());
      KeyValueStore brief = timed.keyValueStore("s");
      for (int i = 0; i < KEYS; i++) {
        brief.put(key(i), new byte[VALUE_BYTES]);
      }
      timed.flush();
      now.addAndGet(2_000);
      brief.put(key(KEYS), new byte[1]);
      timed.flush();
      assertThat(timed.statistics().files().count()).isEqualTo(2);
      long before = timed.statistics().cache().of(BlockKind.DATA).misses();
      assertThat(keys(brief.range(null, null))).isEqualTo(keys(IntStream.of(KEYS)));
      assertThat(keys(brief.reverseRange(null, null))).isEqualTo(keys(IntStream.of(KEYS)));
      assertThat(timed.statistics().cache().of(BlockKind.DATA).misses() - before).isOne();
      before = timed.statistics().cache().of(BlockKind.DATA).misses();
      for (int i = 0; i < 100; i++) {
        assertThat(brief.get(key(i))).isNull();
      }
      assertThat(timed.statistics().cache().of(BlockKind.DATA).misses() - before).isZero();
    }
  }

  @Test
  void aReadSkipsVersionsOfTheColumnWithoutAName() throws IOException {
    database.createTable(
        TableDescriptor.builder("v")
            .family(
                FamilyDescriptor.builder("f")
                    .blockSizeBytes(BLOCK_BYTES)
                    .compression(Compression.NONE)
                    .maxVersions(KEYS)
                    .build())
            .build());
    Table table = database.table("v");
    byte[] family = "f".getBytes(US_ASCII);
    Put put = new Put(key(0)).addColumn(family, key(0), 1, new byte[1]);
    for (int version = 1; version <= KEYS; version++) {
      put.addColumn(family, new byte[0], version, new byte[VALUE_BYTES]);
    }
    table.put(put);
    database.flush();
    long before = blocksRead();
    assertThat(table.get(new Get(key(0))).cells()).hasSize(2);
    assertThat(blocksRead() - before).isLessThan(5);
    table.delete(new Delete(key(0)).addFamily(family, 1));
    database.flush();
    assertThat(table.get(new Get(key(0))).cells()).hasSize(1);
  }
}
