// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.CellLimits;
import io.accordiondb.internal.read.CellKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Computes the bounds of row ranges from inclusive or exclusive first and last rows. */
public final class RowBounds {
  private static final int HIGHEST_BYTE = 0xFF;

  private RowBounds() {}

  /**
   * Returns the lowest row that a cell can have at or above a bound, which may be longer than any
   * row; null if no row is that high.
   */
  public static byte @Nullable [] lowestRowFrom(byte[] bound) {
    if (bound.length <= CellLimits.ROW_BYTES_MAX) {
      return bound;
    }
    int length = CellLimits.ROW_BYTES_MAX;
    while (length > 0 && (bound[length - 1] & HIGHEST_BYTE) == HIGHEST_BYTE) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] row = Arrays.copyOf(bound, length);
    row[length - 1]++;
    return row;
  }

  /**
   * Returns the lowest row of a range that begins at a row, inclusive or exclusive; empty for no
   * bound.
   */
  public static byte[] lowest(byte[] row, boolean inclusive) {
    return inclusive || row.length == 0 ? row : CellKey.rowAfter(row);
  }

  /**
   * Returns the row below which a range ends, given its last row, inclusive or exclusive; null for
   * no bound, if the row is empty.
   */
  public static byte @Nullable [] limit(byte[] row, boolean inclusive) {
    if (row.length == 0) {
      return null;
    }
    return inclusive ? CellKey.rowAfter(row) : row;
  }
}
