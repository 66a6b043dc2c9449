// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.CellLimits;
import java.util.Arrays;

/** Computes the rows at which the regions of a new table begin. */
final class RegionStarts {
  private static final byte[] OPEN = {};

  private RegionStarts() {}

  /**
   * Returns copies of the first rows of the regions, in order; the first one is empty, for the
   * start of the table.
   *
   * @param splitKeys the first rows of all regions but the first, in any order
   * @throws IllegalArgumentException if one of them is empty or given twice
   */
  static byte[][] of(byte[][] splitKeys) {
    byte[][] sorted = splitKeys.clone();
    Arrays.setAll(sorted, i -> sorted[i].clone());
    Arrays.sort(sorted, Arrays::compareUnsigned);
    byte[][] starts = new byte[sorted.length + 1][];
    starts[0] = OPEN;
    for (int i = 0; i < sorted.length; i++) {
      if (Arrays.equals(sorted[i], starts[i])) {
        throw new IllegalArgumentException(
            sorted[i].length == 0 ? "a split key is empty" : "a split key is given twice");
      }
      starts[i + 1] = CellLimits.checkRowLength(sorted[i]);
    }
    return starts;
  }
}
