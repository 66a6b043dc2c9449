// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;

/**
 * Selects cells or rows among those that a query finds. Implementations must be thread-safe and
 * must not keep state.
 */
public interface Filter {
  /**
   * {@return whether cells of a row may be kept; if not, a get does not read the row, and a scan
   * leaves it out}
   *
   * @param row must not be changed
   */
  default boolean mayKeepRow(byte[] row) {
    return true;
  }

  /**
   * {@return the cells to keep of a row, in their order; an empty list leaves out the row}
   *
   * @param cells the cells that the query has found, at least one; must not be changed
   */
  List<Cell> keep(List<Cell> cells);
}
