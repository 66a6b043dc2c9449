// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

/**
 * The position of a follower of the log. Immutable.
 *
 * @param sequence all up to this sequence number was seen
 * @param fileNumber the log file with the record that was seen last; 0 if none was
 * @param offset where that record begins
 * @param checksum of that record, which tells it from another one in its place
 */
public record LogPosition(long sequence, long fileNumber, long offset, int checksum) {
  /** Returns the position behind a sequence number, wherever that is in the log. */
  public static LogPosition behind(long sequence) {
    return new LogPosition(sequence, 0, 0, 0);
  }
}
