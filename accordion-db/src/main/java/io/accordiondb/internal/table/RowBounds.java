// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.internal.read.CellKey;
import org.jspecify.annotations.Nullable;

/** Rows at which ranges of rows begin and end, from rows that may or may not belong to them. */
public final class RowBounds {
  private RowBounds() {}

  /** Returns the lowest row of a range that begins with a row, or behind it; empty for no bound. */
  public static byte[] lowest(byte[] row, boolean inclusive) {
    return inclusive || row.length == 0 ? row : CellKey.rowAfter(row);
  }

  /**
   * Returns the row below which a range ends that ends with a row, or before it; null if that is
   * empty, which is for no bound.
   */
  public static byte @Nullable [] limit(byte[] row, boolean inclusive) {
    if (row.length == 0) {
      return null;
    }
    return inclusive ? CellKey.rowAfter(row) : row;
  }
}
