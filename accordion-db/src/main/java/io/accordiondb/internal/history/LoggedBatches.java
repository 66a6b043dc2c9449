// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.history;

import io.accordiondb.ChangesLostException;
import io.accordiondb.internal.commit.BatchReader;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.commit.MalformedBatchException;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.LogTail;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Iterates over the batches of a log that is not being written, in order. Belongs to one thread.
 */
final class LoggedBatches implements Closeable {
  private final LogTail tail;

  private LoggedBatches(LogTail tail) {
    this.tail = tail;
  }

  /**
   * Opens a log behind a sequence number.
   *
   * @throws ChangesLostException if it begins later
   */
  static LoggedBatches behind(Storage log, long sequence) throws IOException {
    // What is applied ends at a note or before one, and no note is behind a refused write.
    return new LoggedBatches(LogTail.openUpToGap(log, KeptLogs.asTheyAre(log), sequence));
  }

  /** Opens a log at the batch that ends with a sequence number, or behind it if that is gone. */
  static LoggedBatches from(Storage log, long sequence) throws IOException {
    try {
      return behind(log, Math.max(0, sequence - 1));
    } catch (ChangesLostException e) {
      return behind(log, sequence);
    }
  }

  /** Moves to the next batch; returns false at the end of the log. */
  boolean next() throws IOException {
    return tail.next(Long.MAX_VALUE);
  }

  /** Returns the last sequence number of the batch. */
  long lastSequence() {
    return tail.firstSequence() + tail.count() - 1;
  }

  /** Returns a checksum of the batch. */
  int checksum() {
    return tail.position().checksum();
  }

  /** Returns the groups of the batch; valid until the next call of {@link #next}. */
  List<LoggedGroup> groups() throws IOException {
    try {
      return BatchReader.read(tail.payload(), tail.firstSequence(), tail.count());
    } catch (MalformedBatchException e) {
      throw e.newer(tail.place());
    }
  }

  @Override
  public void close() throws IOException {
    tail.close();
  }
}
