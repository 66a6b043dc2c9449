// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/**
 * The sorted tables of one level.
 *
 * @param level 0 for what flushes and tiered compactions write
 * @param files number of sorted tables; one that several regions share, because their region was
 *     split, counts for each of them
 * @param bytes their bytes; those of a shared one are divided among the regions
 * @param cells cells in them; all cells of a shared one count for each region
 */
public record LevelStatistics(int level, long files, long bytes, long cells) {
  /**
   * {@return the sum of these figures and others of the same level}
   *
   * @param other the figures to add
   */
  public LevelStatistics plus(LevelStatistics other) {
    return new LevelStatistics(
        level, files + other.files, bytes + other.bytes, cells + other.cells);
  }
}
