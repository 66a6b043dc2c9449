// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes and reads whole tables. */
final class Tables {
  static final String NAME = "000007.table";
  static final long NUMBER = 7;

  private Tables() {}

  static SortedTableOptions options(int blockSizeBytes, Compression compression, BloomKind bloom) {
    return new SortedTableOptions(
        blockSizeBytes, SortedTableOptions.RESTART_INTERVAL_DEFAULT, compression, bloom);
  }

  static SortedTableProperties write(
      Storage storage, SortedTableOptions options, List<TestCell> cells) throws IOException {
    SortedTableWriter writer = new SortedTableWriter(storage, NAME, NUMBER, options);
    for (TestCell cell : cells) {
      add(writer, cell);
    }
    return writer.finish();
  }

  static void add(SortedTableWriter writer, TestCell cell) throws IOException {
    ByteBuffer bytes = cell.bytes();
    writer.add(bytes, 0, bytes.capacity(), cell.sequence());
  }

  static SortedTable open(Storage storage) throws IOException {
    return open(storage, new BlockCache(1 << 20));
  }

  static SortedTable open(Storage storage, BlockCache cache) throws IOException {
    return SortedTable.open(storage, NAME, NUMBER, cache);
  }

  static IndexBlock rootIndex(BytesStorage storage) throws IOException {
    return rootIndex(storage, NUMBER);
  }

  static IndexBlock rootIndex(BytesStorage storage, long number) throws IOException {
    byte[] file = storage.bytes(NAME);
    int blocksEnd = file.length - SortedTableFooter.BYTES;
    SortedTableFooter footer =
        SortedTableFooter.read(
            NAME, Arrays.copyOfRange(file, blocksEnd, file.length), number, file.length);
    try (StorageReader reader = storage.open(NAME)) {
      BlockInput input = new BlockInput(reader, NAME, blocksEnd, new BlockCache(0));
      return new IndexBlock(input.readFile(footer.rootIndex()));
    }
  }

  static List<TestCell> readAll(SortedTable table) throws IOException {
    List<TestCell> cells = new ArrayList<>();
    try (CellCursor cursor = table.cursor(true)) {
      for (boolean valid = cursor.seekToFirst(); valid; valid = cursor.next()) {
        cells.add(TestCell.current(cursor));
      }
    }
    return cells;
  }

  /** Returns the first key that a row can hold. */
  static ByteBuffer startOfRow(String row) {
    return new TestCell(row, "", "", Long.MAX_VALUE, CellType.DELETE_FAMILY, "", 0).bytes();
  }

  /** Returns rows of cells, each with as many columns, and values of one length. */
  static List<TestCell> grid(int rows, int columns, int valueLength) {
    List<TestCell> cells = new ArrayList<>(rows * columns);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        String value = String.valueOf((char) ('a' + column)).repeat(valueLength);
        cells.add(
            TestCell.put(String.format("row%07d", row), "column" + column, value, 1_000 + row));
      }
    }
    return cells;
  }
}
