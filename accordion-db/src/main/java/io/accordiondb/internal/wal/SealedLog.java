// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

/**
 * A log file that is complete and will not be written again. Immutable.
 *
 * @param fileNumber number of the file
 * @param bytes its length, up to the last sound record
 * @param previousSequence the last sequence number before the file
 * @param lastSequence the last sequence number in it or, if it holds none, in the files before it
 */
public record SealedLog(long fileNumber, long bytes, long previousSequence, long lastSequence) {
  /** Returns the record of the file for the manifest. */
  public KnownLog known() {
    return new KnownLog(fileNumber, previousSequence);
  }
}
