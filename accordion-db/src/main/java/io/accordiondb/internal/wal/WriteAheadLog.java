// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The log files of an open database. Appending, flushing and syncing is for one thread at a time,
 * who holds the commit lock; truncating and asking may go on beside it.
 *
 * <p>A file that has reached its size is synced, closed, and followed by another one, whose header
 * says how long the file before it is; so a log that has lost its end, or a file of its middle, is
 * noticed when it is replayed.
 */
public final class WriteAheadLog implements Closeable {
  /** The directory of the log. */
  public static final String DIRECTORY = "wal";

  private final Storage storage;
  private final LongSupplier fileNumbers;
  private final long fileBytesMax;

  // Guarded by the caller's lock.
  private RecordWriter current;
  private long bytesAppended;

  // Guarded by itself: files no longer written, oldest first.
  private final Deque<SealedLog> sealed = new ArrayDeque<>();

  private volatile long currentBytes;
  private volatile long appendedBytes;

  /**
   * Begins a new file behind those that are there.
   *
   * @param fileNumbers gives numbers that ascend and were never used
   * @param fileBytesMax size at which the next file is begun
   * @param replayed the files that are there, oldest first, as {@link LogReplay} has found them
   */
  public WriteAheadLog(
      Storage storage, LongSupplier fileNumbers, long fileBytesMax, Iterable<SealedLog> replayed)
      throws IOException {
    this.storage = storage;
    this.fileNumbers = fileNumbers;
    this.fileBytesMax = fileBytesMax;
    replayed.forEach(sealed::add);
    this.current = begin();
  }

  /**
   * Appends a record.
   *
   * @param payload the bytes from 0 to the limit; position and limit stay
   * @param payloadCrc CRC32C of the payload
   * @param firstSequence above all sequence numbers appended before
   * @param count how many sequence numbers the record has
   */
  public void append(ByteBuffer payload, int payloadCrc, long firstSequence, int count)
      throws IOException {
    if (current.bytes() >= fileBytesMax) {
      roll();
    }
    long before = current.bytes();
    current.append(payload, payloadCrc, firstSequence, count);
    currentBytes = current.bytes();
    bytesAppended += currentBytes - before;
    appendedBytes = bytesAppended;
  }

  /** Hands all records to the operating system. */
  public void flush() throws IOException {
    current.flush();
  }

  /** Forces all records to the device. */
  public void sync() throws IOException {
    current.sync();
  }

  /** Returns the bytes of all log files. */
  public long totalBytes() {
    synchronized (sealed) {
      return currentBytes + sealed.stream().mapToLong(SealedLog::bytes).sum();
    }
  }

  /** Returns the bytes appended since the log was opened. */
  public long bytesAppended() {
    return appendedBytes;
  }

  /**
   * Returns the last sequence number of the oldest file, or -1 if there is only the current one.
   */
  public long oldestFileLastSequence() {
    synchronized (sealed) {
      SealedLog oldest = sealed.peekFirst();
      return oldest == null ? -1 : oldest.lastSequence();
    }
  }

  /** Deletes the files, oldest first, that hold nothing at or above a sequence number. */
  public void truncate(long oldestNeededSequence) throws IOException {
    synchronized (sealed) {
      SealedLog oldest = sealed.peekFirst();
      while (oldest != null && oldest.lastSequence() < oldestNeededSequence) {
        storage.delete(LogFiles.nameOf(oldest.fileNumber()));
        sealed.removeFirst();
        oldest = sealed.peekFirst();
      }
    }
  }

  /** Syncs and closes the log. */
  @Override
  public void close() throws IOException {
    try {
      current.sync();
    } finally {
      current.close();
    }
  }

  private void roll() throws IOException {
    current.sync();
    current.close();
    synchronized (sealed) {
      sealed.add(new SealedLog(current.fileNumber(), current.bytes(), current.lastSequence()));
    }
    current = begin();
  }

  private RecordWriter begin() throws IOException {
    long number = fileNumbers.getAsLong();
    SealedLog previous;
    synchronized (sealed) {
      previous = sealed.peekLast();
    }
    RecordFileHeader header =
        previous == null
            ? RecordFileHeader.first(LogFiles.MAGIC, number)
            : new RecordFileHeader(
                LogFiles.MAGIC,
                number,
                previous.fileNumber(),
                previous.bytes(),
                previous.lastSequence());
    RecordWriter writer = new RecordWriter(storage.create(LogFiles.nameOf(number)), header);
    writer.sync();
    storage.syncDirectory(DIRECTORY);
    currentBytes = writer.bytes();
    return writer;
  }
}
