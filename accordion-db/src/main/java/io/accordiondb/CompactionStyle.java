// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** How the sorted tables of a family are merged. */
public enum CompactionStyle {
  /** By the ratio of their sizes, as HBase's exploring policy does: writes cost least. */
  TIERED,
  /**
   * In levels of which each but the first has every row in one file at most: reads meet fewer
   * files, and files that are gone take less room, but writes cost more.
   */
  LEVELED
}
