// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** The keys that the Bloom filter of a sorted table contains. */
public enum BloomKind {
  /** No filter. */
  NONE,
  /** Rows: the filter says whether the table may have a row. */
  ROW,
  /** Rows with their columns: the filter says whether the table may have a column of a row. */
  ROWCOL
}
