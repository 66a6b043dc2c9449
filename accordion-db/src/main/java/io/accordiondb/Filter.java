// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;

/**
 * Leaves out cells, or whole rows, of what a query finds. Implementations are pure and thread-safe.
 */
public interface Filter {
  /**
   * Returns whether cells of a row may be kept; false saves reading them.
   *
   * @param row not to be changed
   */
  default boolean mayKeepRow(byte[] row) {
    return true;
  }

  /**
   * Returns the cells to keep of a row, in their order; an empty list leaves out the row.
   *
   * @param cells the cells that the query has found, at least one; not to be changed
   */
  List<Cell> keep(List<Cell> cells);
}
