// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * A short key that separates two neighbouring cells; it need not be the key of any cell. Holds one
 * key at a time and reuses its memory. Belongs to one thread.
 */
final class Separator {
  private static final byte[] NONE = {};

  private ByteBuffer cell = ByteBuffer.allocate(128);

  /** Returns the key as a cell with an empty value at offset 0, valid until the next call. */
  ByteBuffer cell() {
    return cell;
  }

  /**
   * Sets the key to one at or after {@code last} whose row is before the row of {@code next}. If
   * both cells are of the same row, the key is that of {@code last}.
   */
  void between(ByteBuffer last, ByteBuffer next, int nextOffset) {
    int lastLength = KeyValueLayout.rowLength(last, 0);
    int nextLength = KeyValueLayout.rowLength(next, nextOffset);
    int lastRow = KeyValueLayout.rowOffset(0);
    int nextRow = KeyValueLayout.rowOffset(nextOffset);
    int common = 0;
    int end = Math.min(lastLength, nextLength);
    while (common < end && last.get(lastRow + common) == next.get(nextRow + common)) {
      common++;
    }
    // A prefix of the next row is before that row only if it is shorter.
    if (common + 1 < nextLength) {
      startOfRow(next, nextRow, common + 1);
    } else {
      copyKey(last);
    }
  }

  /** Sets the key to that of {@code last}, which is at offset 0. */
  void copyKey(ByteBuffer last) {
    int length = KeyValueLayout.valueOffset(last, 0);
    ensure(length);
    last.get(0, cell.array(), 0, length);
    cell.putInt(Integer.BYTES, 0);
  }

  /** Sets the key to one before all cells that a row can have. */
  private void startOfRow(ByteBuffer source, int rowOffset, int rowLength) {
    byte[] row = new byte[rowLength];
    source.get(rowOffset, row);
    ensure(KeyValueLayout.length(rowLength, 0, 0, 0));
    KeyValueLayout.write(cell, 0, row, NONE, NONE, Long.MAX_VALUE, CellType.MAXIMUM_CODE, NONE);
  }

  private void ensure(int length) {
    if (length > cell.capacity()) {
      cell = ByteBuffer.allocate(Math.max(length, 2 * cell.capacity()));
    }
  }
}
