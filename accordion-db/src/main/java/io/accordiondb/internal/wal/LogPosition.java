// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

/**
 * The position of a follower of the log. Immutable.
 *
 * @param sequence the follower has seen all records up to this sequence number, or passes over
 *     those behind the last one: they come into its file only later if writes are suspended
 * @param fileNumber the log file with the last record that was seen; 0 if there is none
 * @param offset offset of that record in the file, in bytes
 * @param checksum checksum of that record, which distinguishes it from another record at the same
 *     place
 */
public record LogPosition(long sequence, long fileNumber, long offset, int checksum) {
  /** Returns this position, from which a follower passes over records up to a sequence number. */
  public LogPosition upTo(long later) {
    return new LogPosition(Math.max(sequence, later), fileNumber, offset, checksum);
  }

  /** Returns the position behind a sequence number, wherever it is in the log. */
  public static LogPosition behind(long sequence) {
    return new LogPosition(sequence, 0, 0, 0);
  }
}
