// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;

/**
 * How a sorted table is written. Immutable; a reader does not need the options, because the file
 * records them.
 *
 * @param blockSizeBytes size at which a data or index block is closed, before compression; {@value
 *     #BLOCK_BYTES_MIN} to {@value #BLOCK_BYTES_MAX}; a block is longer by up to one cell
 * @param restartInterval cells of a data block from one that is stored whole to the next; 1 to
 *     {@value #RESTART_INTERVAL_MAX}
 * @param compression of data and index blocks
 * @param bloomKind what the Bloom filter contains
 */
public record SortedTableOptions(
    int blockSizeBytes, int restartInterval, Compression compression, BloomKind bloomKind) {

  /** Smallest block size. */
  public static final int BLOCK_BYTES_MIN = 64;

  /** Largest block size. */
  public static final int BLOCK_BYTES_MAX = 16 << 20;

  /** Longest restart interval. */
  public static final int RESTART_INTERVAL_MAX = 1024;

  /** The default restart interval. */
  public static final int RESTART_INTERVAL_DEFAULT = 16;

  public SortedTableOptions {
    if (blockSizeBytes < BLOCK_BYTES_MIN || blockSizeBytes > BLOCK_BYTES_MAX) {
      throw new IllegalArgumentException(
          "block size is "
              + blockSizeBytes
              + " bytes, expected "
              + BLOCK_BYTES_MIN
              + " to "
              + BLOCK_BYTES_MAX);
    }
    if (restartInterval < 1 || restartInterval > RESTART_INTERVAL_MAX) {
      throw new IllegalArgumentException(
          "restart interval is " + restartInterval + ", expected 1 to " + RESTART_INTERVAL_MAX);
    }
  }
}
