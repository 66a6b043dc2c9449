// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.cell.CellType;
import io.accordiondb.cell.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A key to search with, as a serialised cell without family and value. Immutable.
 *
 * @param buffer holds the key at offset 0
 */
public record CellKey(ByteBuffer buffer) {
  private static final byte[] EMPTY = {};

  /** Returns the key after all cells of all rows. */
  public static CellKey end() {
    byte[] last = new byte[Short.MAX_VALUE];
    Arrays.fill(last, (byte) 0xFF);
    return afterColumn(last, last);
  }

  /** Returns the key before all cells of a row. */
  public static CellKey firstOfRow(byte[] row) {
    return firstOfColumn(row, EMPTY);
  }

  /** Returns the key before all cells of a column, and after all cells of the column before it. */
  public static CellKey firstOfColumn(byte[] row, byte[] qualifier) {
    return of(row, qualifier, Long.MAX_VALUE, CellType.MAXIMUM_CODE);
  }

  /** Returns the key after all cells of a column, and before all cells of the column after it. */
  public static CellKey afterColumn(byte[] row, byte[] qualifier) {
    return of(row, qualifier, Long.MIN_VALUE, CellType.MINIMUM_CODE);
  }

  private static CellKey of(byte[] row, byte[] qualifier, long timestamp, int typeCode) {
    ByteBuffer buffer =
        ByteBuffer.allocate(KeyValueLayout.length(row.length, 0, qualifier.length, 0));
    KeyValueLayout.write(buffer, 0, row, EMPTY, qualifier, timestamp, typeCode, EMPTY);
    return new CellKey(buffer);
  }

  /** Returns the lowest row above a row. */
  public static byte[] rowAfter(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }
}
