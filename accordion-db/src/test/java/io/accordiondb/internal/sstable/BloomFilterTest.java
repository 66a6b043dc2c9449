// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.metrics.Tallies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BloomFilterTest {
  /** Values of the reference implementation of xxHash64, seed 0, for inputs without whole words. */
  @Test
  void theHashIsThatOfXxHash64WhereByteOrderDoesNotMatter() {
    assertThat(BloomHash.hash(ByteBuffer.allocate(0), 0, 0)).isEqualTo(0xEF46_DB37_51D8_E999L);
    assertThat(BloomHash.hash(ByteBuffer.wrap(new byte[] {'a'}), 0, 1))
        .isEqualTo(0xD24E_C4F1_A98C_6E5BL);
    assertThat(BloomHash.hash(ByteBuffer.wrap(new byte[] {'x', 'a', 'b', 'c'}), 1, 3))
        .isEqualTo(0x44BC_2CF5_AD77_0999L);
  }

  @Test
  void theHashDoesNotDependOnTheKindOfBuffer() {
    ByteBuffer heap = ByteBuffer.wrap("0123456789abcdefghijklmn".getBytes());
    ByteBuffer direct = ByteBuffer.allocateDirect(24).put(0, heap, 0, 24);
    for (int length = 0; length <= 20; length++) {
      assertThat(BloomHash.hash(direct, 4, length)).isEqualTo(BloomHash.hash(heap, 4, length));
    }
  }

  @Test
  void allKeysAreFoundAndFewOthers() {
    for (int keys : new int[] {1, 10, 1_000, SortedTableFormat.FILTER_BLOCK_KEYS_MAX}) {
      long[] hashes = new long[keys];
      for (int i = 0; i < keys; i++) {
        hashes[i] = hashOf(i);
      }
      byte[] payload = BloomFilter.build(hashes, keys);
      assertThat(payload.length).isBetween(keys * 10 / 8, keys * 10 / 8 + 66);
      for (long hash : hashes) {
        assertThat(BloomFilter.mayContain(payload, payload.length, hash)).isTrue();
      }
      int wrong = 0;
      for (int i = keys; i < keys + 100_000; i++) {
        wrong += BloomFilter.mayContain(payload, payload.length, hashOf(i)) ? 1 : 0;
      }
      assertThat(wrong / 100_000.0).as("%d keys", keys).isLessThan(0.02);
    }
  }

  @Test
  void aFilterOfManyBlocksFindsAllRowsAndFewOthers() throws IOException {
    int rows = 2 * SortedTableFormat.FILTER_BLOCK_KEYS_MAX + 1;
    BytesStorage storage = new BytesStorage();
    Tables.write(
        storage, Tables.options(16 << 10, Compression.LZ4, BloomKind.ROW), Tables.grid(rows, 1, 0));
    Tallies tallies = new Tallies();
    SortedTable table = Tables.open(storage, new BlockCache(100 << 20, tallies));
    int wrong = 0;
    for (int i = 0; i < rows; i++) {
      assertThat(table.mayContainRow(Tables.startOfRow(String.format("row%07d", i)), 0)).isTrue();
      wrong += table.mayContainRow(Tables.startOfRow(String.format("row%07d_", i)), 0) ? 1 : 0;
    }
    assertThat(wrong / (double) rows).isCloseTo(0.01, within(0.01));
    assertThat(table.properties().filterKeyCount()).isEqualTo(rows);
    assertThat(tallies.blockMisses()).as("filter blocks").isEqualTo(3);
    table.verify();
    table.release();
  }

  @Test
  void rowsOutsideOfTheTableAreNotInItWhateverTheFilter() throws IOException {
    for (BloomKind kind : BloomKind.values()) {
      BytesStorage storage = new BytesStorage();
      Tables.write(storage, Tables.options(4096, Compression.LZ4, kind), Tables.grid(10, 2, 1));
      SortedTable table = Tables.open(storage);
      assertThat(table.mayContainRow(Tables.startOfRow("row"), 0)).isFalse();
      assertThat(table.mayContainRow(Tables.startOfRow("rox"), 0)).isFalse();
      assertThat(table.mayContainColumn(Tables.startOfRow("rox"), 0)).isFalse();
      table.release();
    }
  }

  @Test
  void aFilterByColumnTellsColumnsOfARowApart() throws IOException {
    BytesStorage storage = new BytesStorage();
    List<TestCell> cells = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      cells.add(TestCell.put("row", String.format("%04d", i), "", 1));
    }
    Tables.write(storage, Tables.options(4096, Compression.LZ4, BloomKind.ROWCOL), cells);
    SortedTable table = Tables.open(storage);
    int wrong = 0;
    for (int i = 0; i < 1_000; i++) {
      ByteBuffer absent = TestCell.put("row", String.format("%04d_", i), "", 1).bytes();
      wrong += table.mayContainColumn(absent, 0) ? 1 : 0;
      assertThat(table.mayContainRow(absent, 0)).isTrue();
      assertThat(table.mayContainColumn(cells.get(i).bytes(), 0)).isTrue();
    }
    assertThat(wrong).isLessThan(40);
    table.release();
  }

  @Test
  void aFamilyMarkerMakesAllColumnsOfItsRowPossible() throws IOException {
    BytesStorage storage = new BytesStorage();
    Tables.write(
        storage,
        Tables.options(4096, Compression.LZ4, BloomKind.ROWCOL),
        List.of(
            TestCell.put("a", "q", "", 1),
            new TestCell("b", "", "", 5, CellType.DELETE_FAMILY, "", 2),
            TestCell.put("c", "q", "", 1)));
    SortedTable table = Tables.open(storage);

    assertThat(table.mayContainColumn(TestCell.put("b", "any", "", 1).bytes(), 0)).isTrue();
    assertThat(table.mayContainColumn(TestCell.put("c", "other", "", 1).bytes(), 0)).isFalse();
    table.release();
  }

  private static long hashOf(int i) {
    return BloomHash.ofRow(Tables.startOfRow("key" + i), 0);
  }
}
