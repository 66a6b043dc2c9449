// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import java.util.List;

/**
 * The sorted tables.
 *
 * @param levels those of each level that has some, the lowest number first
 * @param largestRunBytes bytes of the largest sorted run of each store, together; a run is one
 *     file, or neighbours in level 0, or the files of a deeper level, that share no rows
 */
public record FileStatistics(List<LevelStatistics> levels, long largestRunBytes) {
  /**
   * Copies the collections, so that the record is immutable.
   *
   * @param levels the levels that have sorted tables, the lowest first
   * @param largestRunBytes bytes of the largest sorted run of each store, together
   */
  public FileStatistics {
    levels = List.copyOf(levels);
  }

  /** {@return the number of sorted tables} */
  public long count() {
    return levels.stream().mapToLong(LevelStatistics::files).sum();
  }

  /** {@return the bytes of all sorted tables} */
  public long bytes() {
    return levels.stream().mapToLong(LevelStatistics::bytes).sum();
  }

  /** {@return the cells in all sorted tables} */
  public long cells() {
    return levels.stream().mapToLong(LevelStatistics::cells).sum();
  }
}
