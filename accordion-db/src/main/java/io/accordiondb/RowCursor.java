// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A cursor over the rows of a table. */
public interface RowCursor extends Cursor {
  /**
   * Returns what the scan finds of the row.
   *
   * @throws IllegalStateException if the cursor stands on no row
   */
  Result result();
}
