// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

/**
 * What a compaction has done.
 *
 * @param files number of files merged; 0 when there was nothing to do
 * @param bytesRead their length
 * @param filesWritten number of new files
 * @param bytesWritten length of the new files
 */
public record Compacted(int files, long bytesRead, int filesWritten, long bytesWritten) {
  /** Nothing was done. */
  public static final Compacted NOTHING = new Compacted(0, 0, 0, 0);
}
