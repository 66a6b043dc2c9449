// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/** Why writes were slowed down or stopped. */
public enum StallCause {
  /**
   * The memory stores have nearly used up their budget, until flushes have written them; or large
   * writes hold their share of the heap, until they are committed.
   */
  MEMORY,
  /** A store has too many sorted tables that compactions have yet to merge. */
  SORTED_TABLES,
  /** A store has too many bytes of sorted tables that wait for a compaction. */
  COMPACTION_DEBT
}
