// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How the sorted tables of a family are merged. */
public enum CompactionStyle {
  /** By the ratio of their sizes, as HBase's exploring policy does. Writes cost least. */
  TIERED,
  /**
   * In levels; each level but the first has every row in one file at most. Reads search fewer files
   * and less space is taken by dead cells, but writes cost more.
   */
  LEVELED,
  /**
   * Not at all, except by {@link Database#majorCompact}. Sorted tables stay as flushes and copies
   * have made them, and regions are not split or merged in the background. For tables that are kept
   * but no longer written. Writers are not slowed down by the number of sorted tables, so each
   * flush makes reads slower until {@link Database#majorCompact}.
   */
  NONE
}
