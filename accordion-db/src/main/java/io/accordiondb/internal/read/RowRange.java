// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellComparator;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The rows that a reader returns; what it finds of others does not matter.
 *
 * @param first the first row; empty for the beginning
 * @param end the row before which the range ends; empty for no end
 */
public record RowRange(byte[] first, byte[] end) {
  private static final byte[] NO_BOUND = {};

  /** All rows. */
  static final RowRange ALL = new RowRange(NO_BOUND, NO_BOUND);

  /** Returns the range of one row. */
  public static RowRange of(byte[] row) {
    return new RowRange(row, CellKey.rowAfter(row));
  }

  /** Returns the higher of two rows at which ranges begin; empty for the beginning. */
  public static byte[] higher(byte[] first, byte[] second) {
    return Arrays.compareUnsigned(first, second) >= 0 ? first : second;
  }

  /** Returns the lower of two rows at which ranges end; empty for no end. */
  public static byte[] lower(byte[] first, byte[] second) {
    if (first.length == 0 || second.length == 0) {
      return first.length == 0 ? second : first;
    }
    return Arrays.compareUnsigned(first, second) <= 0 ? first : second;
  }

  /** Returns whether neither a row nor a higher one is in the range. */
  public boolean endsBefore(byte[] row) {
    return end.length > 0 && Arrays.compareUnsigned(row, end) >= 0;
  }

  /** Returns whether neither the row of a cell nor a higher one is in the range. */
  boolean endsBefore(ByteBuffer cell, int offset) {
    return end.length > 0 && CellComparator.compareRow(cell, offset, end) >= 0;
  }

  /** Returns whether neither the row of a cell nor a lower one is in the range. */
  boolean beginsBehind(ByteBuffer cell, int offset) {
    return CellComparator.compareRow(cell, offset, first) < 0;
  }

  /** Returns whether no row below this one is in the range. */
  public boolean beginsAtOrBehind(byte[] row) {
    return Arrays.compareUnsigned(first, row) >= 0;
  }
}
