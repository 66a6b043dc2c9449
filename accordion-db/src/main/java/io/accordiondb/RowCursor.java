// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A cursor over the rows of a table. */
public interface RowCursor extends Cursor {
  /**
   * {@return the cells of the row that the scan selects}
   *
   * @throws IllegalStateException if the cursor is not on a row
   */
  Result result();
}
