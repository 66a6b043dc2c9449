// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellType;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files of each version of the format, kept under {@code src/test/resources/format}: they stay
 * readable, and the current writer writes the same bytes.
 */
class SortedTableFormatCompatTest {
  @ParameterizedTest
  @EnumSource(Compression.class)
  void aFileOfVersion1IsRead(Compression compression) throws IOException {
    BytesStorage storage = new BytesStorage();
    storage.setBytes(Tables.NAME, resource(compression));
    SortedTable table = Tables.open(storage);

    assertThat(Tables.readAll(table)).isEqualTo(cells());
    assertThat(table.properties().compression()).isEqualTo(compression);
    assertThat(table.properties().bloomKind()).isEqualTo(BloomKind.ROWCOL);
    assertThat(table.properties().indexLevels()).isEqualTo(2);
    table.verify();
    table.release();
  }

  @Test
  void theBytesWrittenAreThoseOfVersion1() throws IOException {
    BytesStorage storage = new BytesStorage();
    Tables.write(storage, options(Compression.NONE), cells());

    assertThat(storage.bytes(Tables.NAME)).isEqualTo(resource(Compression.NONE));
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aFileOfVersion2IsRead(Compression compression) throws IOException {
    BytesStorage storage = new BytesStorage();
    storage.setBytes(Tables.NAME, resource(2, compression));
    SortedTable table = Tables.open(storage);

    assertThat(Tables.readAll(table)).isEqualTo(cellsWithTags());
    table.verify();
    table.release();
  }

  @Test
  void theBytesWrittenWithTagsAreThoseOfVersion2() throws IOException {
    BytesStorage storage = new BytesStorage();
    Tables.write(storage, options(Compression.NONE), cellsWithTags());

    assertThat(storage.bytes(Tables.NAME)).isEqualTo(resource(2, Compression.NONE));
  }

  /** Returns cells of which some rows have tags, so that there are blocks with and without. */
  static List<TestCell> cellsWithTags() {
    return cells().stream()
        .map(
            cell ->
                cell.row().compareTo("rowh") > 0 && cell.type() == CellType.PUT
                    ? cell.withTtl(1_000 + cell.sequence())
                    : cell)
        .toList();
  }

  static SortedTableOptions options(Compression compression) {
    return new SortedTableOptions(256, 4, compression, BloomKind.ROWCOL);
  }

  static List<TestCell> cells() {
    List<TestCell> cells = new ArrayList<>();
    for (int row = 0; row < 20; row++) {
      String name = "row" + (char) ('a' + row);
      cells.add(new TestCell(name, "f", "", 100 - row, CellType.DELETE_FAMILY, "", 500 - row));
      cells.add(new TestCell(name, "f", "", 80, CellType.DELETE_FAMILY_VERSION, "", 1L << 40));
      cells.add(new TestCell(name, "f", "q", 70, CellType.DELETE_COLUMN, "", 0));
      cells.add(new TestCell(name, "f", "q", 70, CellType.DELETE, "", 7));
      cells.add(new TestCell(name, "f", "q", 70, CellType.PUT, "value".repeat(row), 12));
      cells.add(new TestCell(name, "f", "q", 70, CellType.PUT, "older", 11));
      cells.add(new TestCell(name, "f", "qualifier", -1, CellType.PUT, "", 3));
    }
    return cells;
  }

  private static byte[] resource(Compression compression) throws IOException {
    return resource(1, compression);
  }

  private static byte[] resource(int version, Compression compression) throws IOException {
    String name =
        "/format/v"
            + version
            + "/sorted-table-"
            + compression.name().toLowerCase(Locale.ROOT)
            + ".table";
    try (InputStream in = SortedTableFormatCompatTest.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return in.readAllBytes();
    }
  }
}
