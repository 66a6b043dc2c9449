// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/** The kinds of data that are read from sorted tables through the block cache. */
public enum BlockKind {
  /** Blocks of cells. */
  DATA,
  /** Blocks of an index. */
  INDEX,
  /** Blocks of a Bloom filter. */
  FILTER,
  /** Single columns that are read often. */
  COLUMN
}
