// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import java.util.List;

/**
 * The size of the sorted tables of one store, which is a family of a region. Immutable.
 *
 * @param table name of the table
 * @param region identity of the region
 * @param family name of the family
 * @param levels its files by level, in the order of the levels
 * @param files number of files
 * @param bytes length of the files; of shared ones, about the bytes that the region sees
 * @param cells cells in the files, as far as they are whole
 * @param markers delete markers among them
 * @param measuredCells cells that were read to estimate what is live
 * @param measuredBytes bytes of these, before compression
 * @param liveCells how many of these a major compaction would keep
 * @param liveBytes bytes of these
 */
public record StoreSize(
    String table,
    long region,
    String family,
    List<Level> levels,
    int files,
    long bytes,
    long cells,
    long markers,
    long measuredCells,
    long measuredBytes,
    long liveCells,
    long liveBytes) {
  /**
   * The files of a store on one level. Immutable.
   *
   * @param level its number
   * @param files number of files
   * @param bytes length of the files
   */
  public record Level(int level, int files, long bytes) {}

  /** {@return the share of the bytes that is live, 0 to 1; 1 if nothing was measured} */
  public double liveShare() {
    return measuredBytes == 0 ? 1 : (double) liveBytes / measuredBytes;
  }

  /** {@return an estimate of the bytes that a major compaction would keep} */
  public long liveFileBytes() {
    return Math.round(bytes * liveShare());
  }

  /** {@return an estimate of the bytes that a major compaction would free} */
  public long deadFileBytes() {
    return bytes - liveFileBytes();
  }
}
