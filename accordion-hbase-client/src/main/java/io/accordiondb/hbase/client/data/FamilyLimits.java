// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Leaves out cells of a row, so that each family has at most a given number, from an offset on. */
final class FamilyLimits {
  private FamilyLimits() {}

  /**
   * Returns the cells that remain.
   *
   * @param offset how many cells of each family are left out first
   * @param limit how many cells of each family remain at most, 0 being 1; negative for all
   */
  static List<Cell> apply(List<Cell> row, int offset, int limit) {
    if (offset <= 0 && limit < 0) {
      return row;
    }
    // HBase looks at the limit after it has added a cell.
    long last = limit < 0 ? Long.MAX_VALUE : (long) offset + Math.max(1, limit);
    List<Cell> kept = new ArrayList<>();
    byte[] family = {};
    int counted = 0;
    for (Cell cell : row) {
      if (!Arrays.equals(cell.family(), family)) {
        family = cell.family();
        counted = 0;
      }
      counted++;
      if (counted > offset && counted <= last) {
        kept.add(cell);
      }
    }
    return kept;
  }
}
