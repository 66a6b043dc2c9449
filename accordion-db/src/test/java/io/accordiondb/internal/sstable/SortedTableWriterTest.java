// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.MalformedCellException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SortedTableWriterTest {
  private final BytesStorage storage = new BytesStorage();

  private SortedTableWriter writer(BloomKind bloom) throws IOException {
    return new SortedTableWriter(
        storage, Tables.NAME, Tables.NUMBER, Tables.options(4096, Compression.LZ4, bloom));
  }

  @Test
  void aCellOutOfOrderIsRefusedWithBothKeysAndTheWriterGoesOn() throws IOException {
    SortedTableWriter writer = writer(BloomKind.ROW);
    Tables.add(writer, TestCell.put("b", "second", "v", 9));

    assertThatThrownBy(() -> Tables.add(writer, TestCell.put("a\u0001", "first", "v", 10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Tables.NAME)
        .hasMessageContaining("a\\x01/:first/timestamp 1/type 4/sequence 10")
        .hasMessageContaining("b/:second/timestamp 1/type 4/sequence 9");

    Tables.add(writer, TestCell.put("c", "", "v", 1));
    assertThat(writer.finish().cellCount()).isEqualTo(2);
  }

  @Test
  void completingABlockCopiesNoLargeCell() {
    CellBlockBuilder block = new CellBlockBuilder(4096, 1);
    for (int i = 0; i < 20; i++) {
      block.add(TestCell.put("a" + (char) ('a' + i), "q", "v", 1).bytes(), 0, 0, 0, 1);
    }
    block.add(TestCell.put("b", "q", "v".repeat(1_000_000), 1).bytes(), 0, 0, 0, 1);
    byte[] bytes = block.bytes();
    int length = block.finish();
    assertThat(block.bytes()).isSameAs(bytes);
    assertThat(bytes.length - length).isBetween(0, 100);
  }

  @Test
  void theSameCellTwiceIsOutOfOrder() throws IOException {
    SortedTableWriter writer = writer(BloomKind.NONE);
    Tables.add(writer, TestCell.put("a", "q", "v", 3));

    assertThatThrownBy(() -> Tables.add(writer, TestCell.put("a", "q", "w", 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("out of order");
  }

  @Test
  void aCellWithBytesBehindItsValueIsRefused() throws IOException {
    SortedTableWriter writer = writer(BloomKind.NONE);
    ByteBuffer bytes = TestCell.put("a", "q", "v", 1).bytes();
    ByteBuffer cell = ByteBuffer.allocate(100).put(0, bytes, 0, bytes.capacity());

    assertThatThrownBy(() -> writer.add(cell, 0, 100, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("after its value");
  }

  @Test
  void bytesThatAreNoCellAreRefused() throws IOException {
    SortedTableWriter writer = writer(BloomKind.NONE);
    ByteBuffer cell = TestCell.put("a", "q", "v", 1).bytes();
    cell.putShort(KeyValueLayout.keyOffset(0), (short) 500);

    assertThatThrownBy(() -> writer.add(cell, 0, cell.capacity(), 1))
        .isInstanceOf(MalformedCellException.class);
  }

  @Test
  void aFamilyMarkerWithAQualifierIsRefused() throws IOException {
    SortedTableWriter writer = writer(BloomKind.ROWCOL);

    assertThatThrownBy(
            () -> Tables.add(writer, new TestCell("a", "", "q", 1, CellType.DELETE_FAMILY, "", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("qualifier");
  }

  @Test
  void aTableWithoutCellsCannotBeFinishedButAbandoned() throws IOException {
    SortedTableWriter writer = writer(BloomKind.ROW);

    assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);

    writer.abandon();
    assertThat(storage.list("")).isEmpty();
    assertThat(storage.openWriters()).isZero();
  }

  @Test
  void abandonDeletesWhatWasWrittenAndLeavesWhatIsFinished() throws IOException {
    SortedTableWriter abandoned = writer(BloomKind.ROW);
    for (TestCell cell : Tables.grid(5_000, 4, 50)) {
      Tables.add(abandoned, cell);
    }
    abandoned.abandon();
    assertThat(storage.list("")).isEmpty();

    SortedTableWriter finished = writer(BloomKind.ROW);
    Tables.add(finished, TestCell.put("a", "q", "v", 1));
    finished.finish();
    finished.abandon();
    assertThat(storage.list("")).containsExactly(Tables.NAME);
  }

  @Test
  void aWriterThatIsClosedRefusesCells() throws IOException {
    SortedTableWriter writer = writer(BloomKind.ROW);
    Tables.add(writer, TestCell.put("a", "q", "v", 1));
    writer.finish();

    assertThatThrownBy(() -> Tables.add(writer, TestCell.put("b", "q", "v", 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFileThatIsThereIsNotOverwritten() throws IOException {
    storage.setBytes(Tables.NAME, new byte[] {1});

    assertThatThrownBy(() -> writer(BloomKind.ROW)).isInstanceOf(FileAlreadyExistsException.class);

    assertThat(storage.bytes(Tables.NAME)).containsExactly(1);
  }

  @Test
  void bytesWrittenGrowsWithEachCellToTheLengthOfTheFile() throws IOException {
    SortedTableWriter writer =
        new SortedTableWriter(
            storage,
            Tables.NAME,
            Tables.NUMBER,
            Tables.options(4096, Compression.NONE, BloomKind.ROW));
    long before = writer.bytesWritten();
    for (TestCell cell : Tables.grid(500, 4, 50)) {
      Tables.add(writer, cell);
      assertThat(writer.bytesWritten()).isGreaterThan(before);
      before = writer.bytesWritten();
    }
    SortedTableProperties properties = writer.finish();

    assertThat(properties.fileBytes()).isEqualTo(storage.size(Tables.NAME));
    long lastTrailer = SortedTableFormat.BLOCK_TRAILER_BYTES;
    assertThat(before).isBetween(properties.dataBytes() - lastTrailer, properties.fileBytes());
    assertThat(writer.cellCount()).isEqualTo(2_000);
  }

  @Test
  void propertiesCountWhatWasWrittenAndAreReadBack() throws IOException {
    List<TestCell> cells =
        List.of(
            new TestCell("a", "", "", 90, CellType.DELETE_FAMILY, "", 20),
            new TestCell("a", "", "", 80, CellType.DELETE_FAMILY_VERSION, "", 19),
            new TestCell("a", "", "q", 70, CellType.DELETE_COLUMN, "", 18),
            new TestCell("a", "", "q", 70, CellType.PUT, "value", 17),
            new TestCell("bcd", "", "q", -5, CellType.DELETE, "", 30),
            new TestCell("bcd", "", "r", 60, CellType.PUT, "", 2));
    SortedTableProperties written =
        Tables.write(storage, Tables.options(4096, Compression.ZSTD, BloomKind.ROWCOL), cells);

    assertThat(written.fileNumber()).isEqualTo(Tables.NUMBER);
    assertThat(written.fileBytes()).isEqualTo(storage.size(Tables.NAME));
    assertThat(written.cellCount()).isEqualTo(6);
    assertThat(written.markerCount()).isEqualTo(4);
    assertThat(written.familyMarkerCount()).isEqualTo(2);
    assertThat(written.firstCell()).isEqualTo(cells.get(0).bytes());
    assertThat(written.lastCell()).isEqualTo(cells.get(5).bytes());
    assertThat(written.firstRow()).asString().isEqualTo("a");
    assertThat(written.lastRow()).asString().isEqualTo("bcd");
    assertThat(written.timestampMin()).isEqualTo(-5);
    assertThat(written.timestampMax()).isEqualTo(90);
    assertThat(written.sequenceMin()).isEqualTo(2);
    assertThat(written.sequenceMax()).isEqualTo(30);
    assertThat(written.keyBytes()).isEqualTo(6 * 12 + 4 * 1 + 2 * 3 + 4);
    assertThat(written.valueBytes()).isEqualTo(5);
    assertThat(written.dataBlockCount()).isEqualTo(1);
    assertThat(written.filterKeyCount()).isEqualTo(4);
    assertThat(written.compression()).isEqualTo(Compression.ZSTD);
    assertThat(written.bloomKind()).isEqualTo(BloomKind.ROWCOL);
    assertThat(written.indexLevels()).isEqualTo(1);

    SortedTable table = Tables.open(storage);
    assertThat(table.properties()).isEqualTo(written);
    table.release();
  }

  @Test
  void theRootStaysShortIfEachKeyIsAsLongAsABlock() throws IOException {
    String prefix = "p".repeat(32_000);
    SortedTableWriter writer = writer(BloomKind.ROW);
    int rows = 3_000;
    for (int i = 0; i < rows; i++) {
      Tables.add(writer, TestCell.put(prefix + (100_000 + i), "", "v", 1));
    }
    SortedTableProperties written = writer.finish();

    assertThat(written.dataBlockCount()).isEqualTo(rows);
    assertThat(written.indexLevels()).isEqualTo(2);
    SortedTable table = Tables.open(storage);
    assertThat(Tables.rootIndex(storage).count()).isLessThan(rows / 2);
    assertThat(new String(table.middleRow(), US_ASCII))
        .isBetween(prefix + 101_480, prefix + 101_520);
    try (CellCursor cursor = table.cursor(false)) {
      TestCell sought = TestCell.put(prefix + (100_000 + rows / 2), "", "v", 1);
      assertThat(cursor.seek(sought.bytes(), 0)).isTrue();
      assertThat(TestCell.current(cursor)).isEqualTo(sought);
    }
    table.verify();
    table.release();
  }

  @Test
  void aCellThatIsLongerThanABlockFindsItsPlace() throws IOException {
    String big = "0123456789".repeat(70_000);
    List<TestCell> cells =
        List.of(
            TestCell.put("a", "q", "small", 1),
            TestCell.put("b", "q", big, 2),
            TestCell.put("b" + "c".repeat(20_000), "d".repeat(40_000), big, 3),
            TestCell.put("c", "q", "small", 4));
    for (Compression compression : Compression.values()) {
      BytesStorage each = new BytesStorage();
      Tables.write(each, Tables.options(64, compression, BloomKind.ROWCOL), cells);
      SortedTable table = Tables.open(each);
      assertThat(Tables.readAll(table)).isEqualTo(cells);
      table.verify();
      table.release();
    }
  }

  @Test
  void cellsAreTakenFromDirectBuffersAtAnyOffset() throws IOException {
    List<TestCell> cells = Tables.grid(100, 3, 20);
    SortedTableWriter writer = writer(BloomKind.ROWCOL);
    ByteBuffer direct = ByteBuffer.allocateDirect(500);
    int offset = 0;
    for (TestCell cell : cells) {
      ByteBuffer bytes = cell.bytes();
      direct.put(offset, bytes, 0, bytes.capacity());
      writer.add(direct, offset, bytes.capacity(), cell.sequence());
      offset = (offset + 13) % 200;
    }
    writer.finish();

    SortedTable table = Tables.open(storage);
    assertThat(Tables.readAll(table)).isEqualTo(cells);
    try (CellCursor cursor = table.cursor(false)) {
      ByteBuffer sought = cells.get(150).bytes();
      direct.put(77, sought, 0, sought.capacity());
      assertThat(cursor.seek(direct, 77)).isTrue();
      assertThat(TestCell.current(cursor)).isEqualTo(cells.get(150));
      assertThat(table.mayContainColumn(direct, 77)).isTrue();
    }
    table.release();
  }

  @Test
  void blocksThatDoNotCompressAreStoredAsTheyAre() throws IOException {
    StringBuilder noise = new StringBuilder();
    new Random(1).ints(4_000, 0, 256).forEach(c -> noise.append((char) c));
    List<TestCell> cells = List.of(TestCell.put("a", "q", noise.toString(), 1));
    for (Compression compression : List.of(Compression.LZ4, Compression.ZSTD)) {
      BytesStorage each = new BytesStorage();
      SortedTableProperties properties =
          Tables.write(each, Tables.options(4096, compression, BloomKind.NONE), cells);
      assertThat(properties.dataBytes()).isBetween(4_000L, 4_100L);
      assertThat(each.bytes(Tables.NAME)[(int) properties.dataBytes() - 9]).isZero();
      SortedTable table = Tables.open(each);
      assertThat(Tables.readAll(table)).isEqualTo(cells);
      table.release();
    }
  }

  @Test
  void everyFailureOfTheStorageSurfacesAndAbandonCleansUp() throws IOException {
    List<TestCell> cells = Tables.grid(2_000, 4, 200);
    int operations = 0;
    boolean finished = false;
    while (!finished) {
      BytesStorage failing = new BytesStorage();
      failing.failWritersAfter(operations);
      SortedTableWriter writer =
          new SortedTableWriter(
              failing,
              Tables.NAME,
              Tables.NUMBER,
              Tables.options(4096, Compression.NONE, BloomKind.ROW));
      try {
        for (TestCell cell : cells) {
          Tables.add(writer, cell);
        }
        writer.finish();
        finished = true;
      } catch (IOException e) {
        assertThat(e).hasMessage("injected failure");
        assertThatThrownBy(() -> Tables.add(writer, TestCell.put("z", "q", "v", 1)))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("failed");
        writer.abandon();
        assertThat(failing.list("")).isEmpty();
      }
      assertThat(failing.openWriters()).isZero();
      operations++;
    }
    assertThat(operations).isGreaterThan(8);
  }
}
