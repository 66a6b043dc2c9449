// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.filter;

/** Whether a filter by the value of a column keeps a row that does not have the column. */
public enum MissingColumn {
  /** Keeps the row. */
  KEEP_ROW,
  /** Leaves the row out. */
  SKIP_ROW
}
