// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;

/**
 * What was written atomically: a batch, a transaction, or a single write.
 *
 * @param sequence the sequence number of its last cell; those of later changes are above it
 * @param cells what was written, in the order in which it was; of the tables asked for
 */
public record Change(long sequence, List<ChangedCell> cells) {
  /** Copies the list. */
  public Change {
    cells = List.copyOf(cells);
  }
}
