// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.RecoveryProgress;
import io.accordiondb.internal.record.RecordReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The progress of a replay, and what it has left out. Not thread-safe. */
final class ReplayedLog {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

  private final List<SealedLog> files = new ArrayList<>();
  private long lastSequence;
  private long records;
  private long bytes;
  private long droppedBytes;
  private long bytesTotal;
  private long fileBytesRead;
  private boolean damaged;

  /** Returns the files that were replayed, oldest first. */
  List<SealedLog> files() {
    return files;
  }

  /** Returns the last sequence number so far. */
  long lastSequence() {
    return lastSequence;
  }

  long records() {
    return records;
  }

  /** Returns the sound bytes of the files that were read. */
  long bytes() {
    return bytes;
  }

  long droppedBytes() {
    return droppedBytes;
  }

  boolean isDamaged() {
    return damaged;
  }

  RecoveryProgress progress() {
    return new RecoveryProgress(bytes + fileBytesRead, bytesTotal, records, droppedBytes);
  }

  /** Adds to the total number of bytes of files. */
  void expect(long fileBytes) {
    bytesTotal += fileBytes;
  }

  /** Sets the last sequence number before the first record. */
  void beginBehind(long sequence) {
    lastSequence = sequence;
  }

  /** Passes the current record of a reader to the consumer, unless it is not needed. */
  void deliver(RecordReader reader, long fromSequence, RecordConsumer consumer) throws IOException {
    long first = reader.firstSequence();
    long payloadOffset = reader.soundBytes() - reader.payload().limit();
    lastSequence = first + reader.count() - 1;
    fileBytesRead = payloadOffset;
    if (lastSequence >= fromSequence) {
      records++;
      consumer.accept(
          reader.payload(),
          first,
          reader.count(),
          new LogReplay.Source(reader.path(), payloadOffset));
    }
  }

  /** Ends a file that remains a part of the log. */
  void endFile(SealedLog file) {
    files.add(file);
    endFile(file.bytes());
  }

  /** Ends a file at its last sound byte. */
  void endFile(long soundBytes) {
    bytes += soundBytes;
    fileBytesRead = 0;
  }

  /** Records that the replay leaves out something that no crash explains. */
  void setDamaged() {
    damaged = true;
  }

  /** Leaves out bytes that no crash explains. */
  void leaveOut(CorruptionException damage, long lostBytes) {
    damaged = true;
    droppedBytes += lostBytes;
    LOG.warn("{} bytes are left out: {}", lostBytes, damage.getMessage());
  }

  /** Leaves out bytes that a crash explains. */
  void drop(long lostBytes) {
    droppedBytes += lostBytes;
  }
}
