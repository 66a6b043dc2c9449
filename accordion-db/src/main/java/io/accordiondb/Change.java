// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;

/**
 * An atomic change: a batch, a transaction, or a single write.
 *
 * @param sequence the sequence number of its last cell; later changes have higher numbers
 * @param cells the cells of the requested tables, grouped by region and family; those of one group
 *     in the order in which they were written
 */
public record Change(long sequence, List<ChangedCell> cells) {
  /**
   * Copies the list.
   *
   * @param sequence the sequence number of the last cell
   * @param cells the cells, grouped by region and family
   */
  public Change {
    cells = List.copyOf(cells);
  }
}
