// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;

/**
 * Notes in the log which sequence numbers may be given out to writes that it does not hold. After a
 * crash, such a number is not given out again: a checkpoint or a snapshot may have it, and a change
 * feed continues from there. Guarded by the log lock.
 *
 * <p>A note reserves many numbers. It counts only for writes that begin while its log file is the
 * current one; their stores keep the file until they are flushed, and then the manifest has their
 * numbers. No store keeps the file for an ingestion, so the last number is logged before a file is
 * deleted.
 */
final class ReservedNumbers {
  /** How many numbers a note reserves. */
  private static final long COUNT = 1 << 16;

  private final WriteAheadLog log;
  private long noteSequence;
  private long noteFile;
  private long last;

  ReservedNumbers(WriteAheadLog log) {
    this.log = log;
  }

  /**
   * Appends a note if the newest one does not cover the next numbers. The caller must flush the log
   * before it gives out any of them.
   *
   * @param given the last number given out
   * @param count how many numbers are to be given out next
   * @return the last number given out, which is that of the note if there is a new one
   */
  long reserve(long given, int count) throws IOException {
    if (given + count <= last && log.currentNumber() == noteFile) {
      return given;
    }
    long sequence = given + 1;
    long reserved = sequence + count + COUNT;
    LogNote.reserving(reserved).appendTo(log, sequence);
    noteSequence = sequence;
    noteFile = log.currentNumber();
    last = reserved;
    return sequence;
  }

  /** Returns the number of the newest note. */
  long noteSequence() {
    return noteSequence;
  }
}
