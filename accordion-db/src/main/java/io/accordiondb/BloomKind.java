// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** What the Bloom filter of a sorted table is asked for. */
public enum BloomKind {
  /** There is no filter. */
  NONE,
  /** Whether the table may have a row. */
  ROW,
  /** Whether the table may have a column of a row. */
  ROWCOL
}
