// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged files: each change of a file is found, and no read of it gives what was not written. */
class SortedTableFaultTest {
  private static final List<TestCell> CELLS = cells();

  @ParameterizedTest
  @EnumSource(Compression.class)
  void aFlippedBitInEveryByteIsFoundAndNoReadIsWrong(Compression compression) throws IOException {
    flipBits(compression, 7);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  @Tag("long")
  void everyFlippedBitIsFoundAndNoReadIsWrong(Compression compression) throws IOException {
    flipBits(compression, 1);
  }

  private static void flipBits(Compression compression, int step) throws IOException {
    byte[] file = file(compression, BloomKind.ROWCOL);
    for (int bit = 0; bit < file.length * 8; bit += step) {
      byte[] damaged = file.clone();
      damaged[bit >>> 3] ^= (byte) (1 << (bit & 7));
      assertDamageIsFound(damaged, "bit " + bit);
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void everyTruncationIsFoundWhenTheFileIsOpened(Compression compression) throws IOException {
    byte[] file = file(compression, BloomKind.ROW);
    for (int length = 0; length < file.length; length++) {
      BytesStorage storage = new BytesStorage();
      storage.setBytes(Tables.NAME, Arrays.copyOf(file, length));
      assertThatThrownBy(() -> Tables.open(storage))
          .as("truncated to %d bytes", length)
          .isInstanceOf(CorruptionException.class)
          .hasMessageContaining(Tables.NAME);
      assertThat(storage.openReaders()).isZero();
    }
  }

  @Test
  void bytesBehindTheEndAreFound() throws IOException {
    byte[] file = file(Compression.NONE, BloomKind.ROW);
    BytesStorage storage = new BytesStorage();
    storage.setBytes(Tables.NAME, Arrays.copyOf(file, file.length + 1));

    assertThatThrownBy(() -> Tables.open(storage)).isInstanceOf(CorruptionException.class);
  }

  @Test
  void aTableWithinAValueOfATruncatedTableIsNotTakenForIt() throws IOException {
    byte[] inner = file(Compression.NONE, BloomKind.NONE);
    StringBuilder value = new StringBuilder();
    for (byte b : inner) {
      value.append((char) (b & 0xFF));
    }
    BytesStorage storage = new BytesStorage();
    Tables.write(
        storage,
        Tables.options(4096, Compression.NONE, BloomKind.NONE),
        List.of(TestCell.put("a", "q", value.toString(), 1)));
    byte[] outer = storage.bytes(Tables.NAME);
    int end = 8 + TestCell.put("a", "q", "", 1).bytes().capacity() + inner.length;
    assertThat(Arrays.copyOfRange(outer, end - inner.length, end)).isEqualTo(inner);
    storage.setBytes(Tables.NAME, Arrays.copyOf(outer, end));

    assertThatThrownBy(() -> Tables.open(storage))
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining("file length");
  }

  @Test
  void anUnknownVersionIsNamed() throws IOException {
    byte[] file = file(Compression.NONE, BloomKind.NONE);
    file[file.length - 9] = 3;
    BytesStorage storage = new BytesStorage();
    storage.setBytes(Tables.NAME, file);

    assertThatThrownBy(() -> Tables.open(storage))
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("format version 3")
        .hasMessageContaining("version 2");
  }

  /** Where damage is met, the same table still gives what is not damaged. */
  @Test
  void aDamagedBlockDoesNotStopACursorFromReadingOthers() throws IOException {
    List<TestCell> cells = Tables.grid(200, 2, 30);
    BytesStorage storage = new BytesStorage();
    SortedTableProperties properties =
        Tables.write(storage, Tables.options(1024, Compression.NONE, BloomKind.NONE), cells);
    assertThat(properties.dataBlockCount()).isGreaterThan(5);
    storage.bytes(Tables.NAME)[20] ^= 1;
    SortedTable table = Tables.open(storage);
    try (CellCursor cursor = table.cursor(true)) {
      assertThatThrownBy(cursor::seekToFirst).isInstanceOf(CorruptionException.class);
      assertThat(cursor.isValid()).isFalse();
      TestCell last = cells.get(cells.size() - 1);
      assertThat(cursor.seek(last.bytes(), 0)).isTrue();
      assertThat(TestCell.current(cursor)).isEqualTo(last);
      assertThatThrownBy(() -> cursor.seek(cells.get(0).bytes(), 0))
          .isInstanceOf(CorruptionException.class);
    }
    assertThatThrownBy(table::verify).isInstanceOf(CorruptionException.class);
    table.release();
  }

  private static void assertDamageIsFound(byte[] damaged, String what) throws IOException {
    BytesStorage storage = new BytesStorage();
    storage.setBytes(Tables.NAME, damaged);
    SortedTable table;
    try {
      table = Tables.open(storage);
    } catch (CorruptionException | FormatVersionException e) {
      assertThat(storage.openReaders()).isZero();
      return;
    }
    assertThatThrownBy(table::verify).as(what).isInstanceOf(CorruptionException.class);
    for (TestCell cell : CELLS) {
      assertReadIsRightOrRefused(table, cell, what);
    }
    try {
      assertThat(Tables.readAll(table)).as(what).isEqualTo(CELLS);
    } catch (CorruptionException e) {
      assertThat(e.file()).isEqualTo(Tables.NAME);
    }
    table.release();
    assertThat(storage.openReaders()).isZero();
  }

  private static void assertReadIsRightOrRefused(SortedTable table, TestCell cell, String what)
      throws IOException {
    ByteBuffer key = cell.bytes();
    try (CellCursor cursor = table.cursor(false)) {
      assertThat(table.mayContainColumn(key, 0)).as(what).isTrue();
      assertThat(cursor.seek(key, 0)).as(what).isTrue();
      assertThat(TestCell.current(cursor).compareKey(cell)).as(what).isZero();
    } catch (CorruptionException e) {
      assertThat(e.file()).isEqualTo(Tables.NAME);
    }
  }

  /** Returns a file of several data blocks and two index levels. */
  private static byte[] file(Compression compression, BloomKind bloom) throws IOException {
    BytesStorage storage = new BytesStorage();
    SortedTableProperties properties =
        Tables.write(storage, new SortedTableOptions(192, 3, compression, bloom), CELLS);
    assertThat(properties.indexLevels()).isEqualTo(2);
    return storage.bytes(Tables.NAME);
  }

  private static List<TestCell> cells() {
    List<TestCell> cells = new ArrayList<>();
    for (char row = 'a'; row < 'k'; row++) {
      cells.add(new TestCell("row" + row, "", "", 9, CellType.DELETE_FAMILY, "", row));
      cells.add(TestCell.put("row" + row, "column", "valuevaluevalue", row));
      cells.add(TestCell.put("row" + row, "column2", "", row - 1));
    }
    return cells;
  }
}
