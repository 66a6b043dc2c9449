// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How the sorted tables of a family are merged. */
public enum CompactionStyle {
  /**
   * Merges them by the ratio of their sizes, as HBase's exploring policy does. Writes cost least.
   * Neighbours in age that share no row, as those of ascending keys, count as one and are not
   * merged with each other, once each has half of {@link DatabaseOptions#levelFileBytes}.
   */
  TIERED,
  /**
   * Merges them in levels; in each level but the first, at most one file has a given row. Reads
   * search fewer files and dead cells take less space, but writes cost more.
   */
  LEVELED,
  /**
   * Merges them only in {@link Database#majorCompact}. Sorted tables stay as flushes and copies
   * have made them, and regions are not split or merged in the background. Use it for tables that
   * are kept but no longer written. Writers are not slowed down by the number of sorted tables, so
   * each flush makes reads slower until {@link Database#majorCompact}.
   */
  NONE
}
