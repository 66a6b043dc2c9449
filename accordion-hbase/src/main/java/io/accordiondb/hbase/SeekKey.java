// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.jspecify.annotations.Nullable;

/** The key of a seek, encoded in the bytes that a memory store compares. Belongs to one thread. */
final class SeekKey {
  private static final int VALUE_LENGTH_AT = Integer.BYTES;
  private static final int ROW_LENGTH_AT = 2 * Integer.BYTES;

  /** Sorts after every family's name. */
  private static final byte[] AFTER_ALL_FAMILIES = afterAllFamilies();

  /** Sorts after every row but itself. */
  private static final byte[] LAST_ROW = lastRow();

  private final byte @Nullable [] ownFamily;
  private ByteBuffer buffer = ByteBuffer.allocate(256);

  /**
   * Creates a key.
   *
   * @param ownFamily the family of the cells that are sought, if HBase compares families by the
   *     lengths of their names; null if it compares their bytes, as a memory store does
   */
  SeekKey(byte @Nullable [] ownFamily) {
    this.ownFamily = ownFamily;
  }

  private static byte[] lastRow() {
    byte[] row = new byte[KeyValueLayout.ROW_BYTES_MAX];
    Arrays.fill(row, (byte) 0xFF);
    return row;
  }

  private static byte[] afterAllFamilies() {
    byte[] family = new byte[KeyValueLayout.FAMILY_BYTES_MAX];
    Arrays.fill(family, (byte) 0xFF);
    return family;
  }

  /** Returns the buffer, in which the key begins at offset 0. */
  ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Sets this to the key of a cell, which may be a fake cell that HBase has created for a search,
   * or the hint of a filter, which may name another family.
   */
  void set(Cell cell) {
    int familyLength = cell.getFamilyLength();
    int qualifierLength = cell.getQualifierLength();
    int typeCode = cell.getTypeByte() & 0xFF;
    // A family with a longer name is behind all cells of the row, one with a shorter name before.
    int longer = ownFamily == null || familyLength == 0 ? 0 : familyLength - ownFamily.length;
    if (longer < 0) {
      setRow(cell);
      return;
    }
    if (longer > 0 || familyLength + qualifierLength == 0 && typeCode == CellType.MINIMUM_CODE) {
      // The latter is HBase's mark of the end of a row, after all of its columns.
      int at = startRow(cell, AFTER_ALL_FAMILIES.length, 0);
      buffer.put(at, AFTER_ALL_FAMILIES);
      finish(at + AFTER_ALL_FAMILIES.length, HConstants.OLDEST_TIMESTAMP, CellType.MINIMUM_CODE);
      return;
    }
    int at = startRow(cell, familyLength, qualifierLength);
    if (ownFamily == null || familyLength == 0) {
      CellUtil.copyFamilyTo(cell, buffer, at);
    } else {
      buffer.put(at, ownFamily);
    }
    at += familyLength;
    CellUtil.copyQualifierTo(cell, buffer, at);
    finish(at + qualifierLength, cell.getTimestamp(), typeCode);
  }

  private int startRow(Cell cell, int familyLength, int qualifierLength) {
    int rowLength = cell.getRowLength();
    start(rowLength, familyLength, qualifierLength);
    int at = KeyValueLayout.rowOffset(0);
    CellUtil.copyRowTo(cell, buffer, at);
    buffer.put(at + rowLength, (byte) familyLength);
    return at + rowLength + 1;
  }

  /** Sets this to the key before all cells of a row. */
  void setRow(byte[] row) {
    start(row.length, 0, 0);
    int at = KeyValueLayout.rowOffset(0);
    buffer.put(at, row);
    finishRow(at + row.length);
  }

  /** Sets this to a key after all cells. */
  void setAfterAllRows() {
    start(LAST_ROW.length, AFTER_ALL_FAMILIES.length, 0);
    int at = KeyValueLayout.rowOffset(0);
    buffer.put(at, LAST_ROW);
    at += LAST_ROW.length;
    buffer.put(at, (byte) AFTER_ALL_FAMILIES.length);
    at += 1;
    buffer.put(at, AFTER_ALL_FAMILIES);
    finish(at + AFTER_ALL_FAMILIES.length, HConstants.OLDEST_TIMESTAMP, CellType.MINIMUM_CODE);
  }

  /** Sets this to the key before all cells of a cell's row. */
  void setRow(Cell cell) {
    finish(startRow(cell, 0, 0), HConstants.LATEST_TIMESTAMP, CellType.MAXIMUM_CODE);
  }

  /** Sets this to the key before all cells of the row of a cell in memory. */
  void setRow(ByteBuffer cell, int offset) {
    int rowLength = KeyValueLayout.rowLength(cell, offset);
    start(rowLength, 0, 0);
    int at = KeyValueLayout.rowOffset(0);
    buffer.put(at, cell, KeyValueLayout.rowOffset(offset), rowLength);
    finishRow(at + rowLength);
  }

  private void finishRow(int at) {
    buffer.put(at, (byte) 0);
    finish(at + 1, HConstants.LATEST_TIMESTAMP, CellType.MAXIMUM_CODE);
  }

  private void start(int rowLength, int familyLength, int qualifierLength) {
    int length = KeyValueLayout.length(rowLength, familyLength, qualifierLength, 0);
    if (length > buffer.capacity()) {
      buffer = ByteBuffer.allocate(Math.max(length, 2 * buffer.capacity()));
    }
    buffer.putInt(0, length - ROW_LENGTH_AT);
    buffer.putInt(VALUE_LENGTH_AT, 0);
    buffer.putShort(ROW_LENGTH_AT, (short) rowLength);
  }

  private void finish(int at, long timestamp, int typeCode) {
    buffer.putLong(at, timestamp);
    buffer.put(at + Long.BYTES, (byte) typeCode);
  }
}
