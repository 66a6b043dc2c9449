// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

/**
 * A log file that the manifest says exists. Immutable.
 *
 * @param fileNumber number of the file
 * @param previousSequence the last sequence number before the file, as its first link says too; -1
 *     for a {@linkplain #prepared prepared} file
 */
public record KnownLog(long fileNumber, long previousSequence) {
  /**
   * Returns the record of a file that holds nothing yet. It may begin without another record, so
   * its beginning need not be on the device.
   */
  public static KnownLog prepared(long fileNumber) {
    return new KnownLog(fileNumber, -1);
  }

  /** Returns whether the beginning of the file is on the device. */
  public boolean hasBegun() {
    return previousSequence >= 0;
  }
}
