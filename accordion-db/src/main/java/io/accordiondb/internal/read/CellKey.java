// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A key to search with, as a serialised cell without a value. Immutable. Cells of a store carry no
 * family.
 *
 * @param buffer holds the key at offset 0
 */
public record CellKey(ByteBuffer buffer) {
  private static final byte[] EMPTY = {};
  private static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

  /** Sorts after the family of every stored cell, which is empty. */
  private static final byte[] AFTER_FAMILY = {0};

  /** The key after all cells of all rows. */
  public static final CellKey END = afterAllRows();

  private static CellKey afterAllRows() {
    byte[] last = new byte[KeyValueLayout.ROW_BYTES_MAX];
    Arrays.fill(last, (byte) 0xFF);
    return afterRow(last);
  }

  /**
   * Returns the key before all cells of a row and of the rows above it, and after all cells of the
   * rows below it. The row may be longer than any row of a cell. Such a bound is just above all
   * cells of the longest row that is its prefix.
   */
  public static CellKey firstOfRow(byte[] row) {
    return row.length > KeyValueLayout.ROW_BYTES_MAX
        ? afterRow(Arrays.copyOf(row, KeyValueLayout.ROW_BYTES_MAX))
        : firstOfColumn(row, EMPTY);
  }

  /**
   * Returns the key after all cells of a row, and before all cells of the row after it.
   *
   * @param row one that a cell can have
   */
  public static CellKey afterRow(byte[] row) {
    return of(row, AFTER_FAMILY, EMPTY, Long.MIN_VALUE, CellType.MINIMUM_CODE);
  }

  /** Returns the key before all cells of a column, and after all cells of the column before it. */
  public static CellKey firstOfColumn(byte[] row, byte[] qualifier) {
    return of(row, EMPTY, qualifier, Long.MAX_VALUE, CellType.MAXIMUM_CODE);
  }

  /**
   * Writes the key of {@link #firstOfColumn(byte[], byte[])} to offset 0 of a buffer that is used
   * again, or of a new one if that has no room; returns the one written to.
   */
  static ByteBuffer firstOfColumn(byte[] row, byte[] qualifier, ByteBuffer reused) {
    return write(reused, row, EMPTY, qualifier, Long.MAX_VALUE, CellType.MAXIMUM_CODE);
  }

  /** Returns the key after all cells of a column, and before all cells of the column after it. */
  public static CellKey afterColumn(byte[] row, byte[] qualifier) {
    return of(row, EMPTY, qualifier, Long.MIN_VALUE, CellType.MINIMUM_CODE);
  }

  private static CellKey of(
      byte[] row, byte[] family, byte[] qualifier, long timestamp, int typeCode) {
    return new CellKey(write(NO_BUFFER, row, family, qualifier, timestamp, typeCode));
  }

  private static ByteBuffer write(
      ByteBuffer reused, byte[] row, byte[] family, byte[] qualifier, long timestamp, int type) {
    int length = KeyValueLayout.length(row.length, family.length, qualifier.length, 0);
    ByteBuffer buffer = length <= reused.capacity() ? reused : ByteBuffer.allocate(length);
    KeyValueLayout.write(buffer, 0, row, family, qualifier, timestamp, type, EMPTY);
    return buffer;
  }

  /** Returns the lowest row above a row, which may be too long for a cell. */
  public static byte[] rowAfter(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }
}
