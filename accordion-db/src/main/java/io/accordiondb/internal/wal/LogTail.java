// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.ChangesLostException;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordTail;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.LogChain.Linked;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows the log of an open database, from the kept files to the file that is being written. One
 * thread at a time may use it; other threads may write, keep and delete files at the same time.
 *
 * <p>A file ends where the first link of the next file says that it does. A replay or a resumption
 * has left out whatever is behind that end, so it is not delivered. If the next file is missing,
 * but there are later ones, the end is unknown.
 */
public final class LogTail implements Closeable {
  private final Storage storage;
  private final LogChain chain;
  private long number;
  private RecordTail records;
  private long sequence;

  /** A file whose records up to a sequence number are passed over, and that number. */
  private long passedFile;

  private long passedInFile;

  /** Whether all records of a file are read whose end is unknown, as far as they are whole. */
  private boolean passesUnknownEnds;

  /** Whether the current record was read before its sequence numbers were visible. */
  private boolean unseen;

  /** The end of the current file, as known when these numbers were visible. */
  private long fileEnd = Long.MAX_VALUE;

  private long fileEndKnownAt = -1;

  /** The end of the last record that was read in the current file. */
  private long seenEnd;

  private LogTail(Storage storage, KeptLogs kept, long number, RecordTail records, long sequence) {
    this.storage = storage;
    this.chain = new LogChain(storage, kept);
    this.number = number;
    this.records = records;
    this.sequence = sequence;
  }

  /** Returns a tail on a file; if that fails, closes it. */
  private static LogTail tailOf(
      Storage storage, KeptLogs kept, long number, RecordTail records, long sequence)
      throws IOException {
    LogTail tail = null;
    try {
      tail = new LogTail(storage, kept, number, records, sequence);
      return tail;
    } finally {
      if (tail == null) {
        records.close();
      }
    }
  }

  /**
   * Opens a tail behind a position.
   *
   * @throws ChangesLostException if the log now begins later, or no longer has the record that was
   *     seen last
   */
  public static LogTail open(Storage storage, KeptLogs kept, LogPosition position)
      throws IOException {
    return position.fileNumber() == 0
        ? openBehind(storage, kept, position.sequence())
        : resume(storage, kept, position);
  }

  /**
   * Opens a tail behind a sequence number that reads all records before a gap, even if the last
   * ones may be of a write that was refused.
   *
   * @throws ChangesLostException if the log now begins later
   */
  public static LogTail openUpToGap(Storage storage, KeptLogs kept, long sequence)
      throws IOException {
    LogTail tail = openBehind(storage, kept, sequence);
    tail.passesUnknownEnds = true;
    return tail;
  }

  /**
   * Opens a tail on the last record up to a sequence number; its position shows whether that record
   * was undone, and does not depend on whether a number that no record has is given out again.
   * Returns null if the log does not have the record.
   */
  public static @Nullable LogTail openOnLast(Storage storage, KeptLogs kept, long sequence)
      throws IOException {
    long file;
    try (LogTail behind = openBehind(storage, kept, sequence)) {
      file = behind.number;
    }
    LogLink link = LogBeginnings.linkOf(storage, kept, file);
    while (link != null) {
      LogPosition last = lastIn(storage, kept, file, link.previousSequence(), sequence);
      if (last != null) {
        return resume(storage, kept, last);
      }
      file = link.previousNumber();
      link = LogBeginnings.linkOf(storage, kept, file);
    }
    return null;
  }

  /** Returns the position of the last record of a file up to a sequence number; null for none. */
  private static @Nullable LogPosition lastIn(
      Storage storage, KeptLogs kept, long file, long before, long sequence) throws IOException {
    RecordTail records = LogBeginnings.open(storage, kept, file, 0);
    if (records == null) {
      return null;
    }
    LogPosition last = null;
    try (LogTail tail = tailOf(storage, kept, file, records, before)) {
      while (tail.next(sequence)) {
        last = tail.position();
      }
    }
    return last;
  }

  /**
   * Returns the last sequence number before each file, oldest first, as far as the files say it.
   */
  public static List<Long> beginnings(Storage storage, KeptLogs kept) throws IOException {
    return List.copyOf(LogBeginnings.lastSequencesBefore(storage, kept).values());
  }

  private static LogTail openBehind(Storage storage, KeptLogs kept, long sequence)
      throws IOException {
    long best = 0;
    long oldest = Long.MAX_VALUE;
    for (Map.Entry<Long, Long> file : LogBeginnings.lastSequencesBefore(storage, kept).entrySet()) {
      oldest = Math.min(oldest, file.getValue());
      best = file.getValue() <= sequence ? file.getKey() : best;
    }
    RecordTail records = best == 0 ? null : LogBeginnings.open(storage, kept, best, 0);
    if (records == null) {
      throw new ChangesLostException(sequence + 1, oldest + 1);
    }
    return tailOf(storage, kept, best, records, sequence);
  }

  private static LogTail resume(Storage storage, KeptLogs kept, LogPosition position)
      throws IOException {
    RecordTail records =
        LogBeginnings.open(storage, kept, position.fileNumber(), position.offset());
    if (records == null) {
      // Throws an exception that names the beginning of the log, unless all changes behind the
      // position are there.
      openBehind(storage, kept, position.sequence()).close();
      throw LogBeginnings.names(storage, kept).firstKey() > position.fileNumber()
          ? deleted(position)
          : undone(position);
    }
    LogTail tail = tailOf(storage, kept, position.fileNumber(), records, position.sequence());
    boolean found = false;
    try {
      found =
          records.next()
              && records.checksum() == position.checksum()
              && tail.lastOfRecord() <= position.sequence()
              && records.end() <= tail.bytesOfFile(tail.chain.behind(position.fileNumber()));
    } finally {
      if (!found) {
        tail.close();
      }
    }
    if (!found) {
      throw undone(position);
    }
    tail.seenEnd = records.end();
    tail.sequence = tail.lastOfRecord();
    // A buffer may still have held the others when the position was taken. Not those of later
    // files: after a crash, other records have the same numbers.
    tail.passedFile = position.fileNumber();
    tail.passedInFile = position.sequence();
    return tail;
  }

  private static ChangesLostException deleted(LogPosition position) {
    return new ChangesLostException(
        "the log begins behind the change that was seen last, of sequence number "
            + position.sequence()
            + ", and does not show whether a loss of power has undone that one;"
            + " DatabaseOptions.logRetention keeps more of the log");
  }

  private static ChangesLostException undone(LogPosition position) {
    return new ChangesLostException(
        "the change that was seen last, of sequence number "
            + position.sequence()
            + ", is not in the log: it was of another database, or a loss of power has undone it");
  }

  /**
   * Moves to the next record with sequence numbers, none of which is above a limit; returns false
   * if there is none yet.
   *
   * @throws ChangesLostException if it was deleted before it could be read, or if the end of its
   *     file is unknown
   */
  public boolean next(long sequenceMax) throws IOException {
    if (fileEndKnownAt != sequenceMax) {
      // A resumption may have left out records whose numbers become visible only after the next
      // file exists.
      fileEnd = bytesOfFile(chain.behind(number));
      fileEndKnownAt = sequenceMax;
    }
    while (sequence < sequenceMax) {
      unseen &= records.end() <= fileEnd;
      if (!unseen && !moveOn()) {
        return false;
      }
      unseen = lastOfRecord() > sequenceMax;
      if (unseen) {
        return false;
      }
      // Links have no sequence numbers of their own.
      if (records.count() > 0 && lastOfRecord() > seen()) {
        sequence = lastOfRecord();
        seenEnd = records.end();
        return true;
      }
    }
    return false;
  }

  /** Passes over records up to a sequence number, even if they are written later. */
  public void passUpTo(long passed) {
    sequence = Math.max(sequence, passed);
  }

  /** Returns the number up to which records of the current file count as seen. */
  private long seen() {
    return number == passedFile ? Math.max(sequence, passedInFile) : sequence;
  }

  private long lastOfRecord() {
    return records.firstSequence() + records.count() - 1;
  }

  /** Moves to the next record, in this file or in a later one. */
  private boolean moveOn() throws IOException {
    while (true) {
      if (records.end() < fileEnd && records.next() && records.end() <= fileEnd) {
        return true;
      }
      Linked next = chain.behind(number);
      if (next == null) {
        return false;
      }
      // The next file exists, so all records of this one can be read.
      long bytes = bytesOfFile(next);
      if (records.end() < bytes && records.next() && records.end() <= bytes) {
        return true;
      }
      if (!next.isBehind(number) || seenEnd > bytes) {
        throw new ChangesLostException(sequence + 1, next.link().previousSequence() + 1);
      }
      if (records.end() < bytes) {
        throw new CorruptionException(
            storage.path(LogFileNames.nameOf(number)), records.end(), "a record", "none");
      }
      RecordTail opened = chain.open(next.number());
      if (opened == null) {
        throw new ChangesLostException(sequence + 1, next.link().previousSequence() + 1);
      }
      long end;
      boolean found;
      try {
        // Nothing may fail behind the first record: a later call would pass over it.
        end = bytesOf(next.number(), chain.behind(next.number()));
        found = hasRecord(opened, end);
        // The last file may be unfinished if it has no records; it is then deleted again.
        if (!found && !isFollowed(next.number())) {
          return false;
        }
        records.close();
        records = opened;
      } finally {
        if (records != opened) {
          opened.close();
        }
      }
      number = next.number();
      seenEnd = 0;
      fileEnd = end;
      if (found) {
        return true;
      }
    }
  }

  /** Moves to the first record that is not a link; returns false if none ends before an end. */
  private static boolean hasRecord(RecordTail opened, long end) throws IOException {
    boolean found;
    do {
      found = opened.next() && opened.end() <= end;
    } while (found && opened.count() == 0);
    return found;
  }

  private boolean isFollowed(long file) throws IOException {
    Linked next = chain.behind(file);
    return next != null && next.isBehind(file);
  }

  /** Returns the length of the current file; the maximum as long as it is the newest. */
  private long bytesOfFile(@Nullable Linked next) throws ChangesLostException {
    return bytesOf(number, next);
  }

  private long bytesOf(long file, @Nullable Linked next) throws ChangesLostException {
    if (next == null) {
      return Long.MAX_VALUE;
    }
    if (next.isBehind(file)) {
      return next.link().previousBytes();
    }
    if (passesUnknownEnds) {
      return Long.MAX_VALUE;
    }
    throw new ChangesLostException(sequence + 1, next.link().previousSequence() + 1);
  }

  /** Returns the payload of the current record; valid until the next call. */
  public ByteBuffer payload() {
    return records.payload();
  }

  /** Returns the first sequence number of the current record. */
  public long firstSequence() {
    return records.firstSequence();
  }

  /** Returns how many sequence numbers the current record has. */
  public int count() {
    return records.count();
  }

  /** Returns the position behind the current record. */
  public LogPosition position() {
    return new LogPosition(sequence, number, records.start(), records.checksum());
  }

  /** Returns the place of the current record, for messages. */
  public String place() {
    return storage.path(LogFileNames.nameOf(number)) + ", offset " + records.start();
  }

  @Override
  public void close() throws IOException {
    try (RecordTail last = records;
        chain) {
      // Both are closed, even if closing one fails.
    }
  }
}
