// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import io.accordiondb.internal.region.StoreFile;
import java.util.Arrays;

/**
 * The range of rows that files hold or may hold. Immutable; the arrays must not be changed.
 *
 * @param first the first row, inclusive
 * @param last the last row, inclusive
 */
record RowRange(byte[] first, byte[] last) {
  /** Returns the rows that a file may show. */
  static RowRange of(StoreFile file) {
    return new RowRange(file.firstRow(), file.lastRow());
  }

  boolean overlaps(RowRange other) {
    return Arrays.compareUnsigned(first, other.last) <= 0
        && Arrays.compareUnsigned(other.first, last) <= 0;
  }

  /** Returns the rows from the lower first to the higher last one. */
  RowRange with(RowRange other) {
    return new RowRange(
        Arrays.compareUnsigned(first, other.first) <= 0 ? first : other.first,
        Arrays.compareUnsigned(last, other.last) >= 0 ? last : other.last);
  }
}
