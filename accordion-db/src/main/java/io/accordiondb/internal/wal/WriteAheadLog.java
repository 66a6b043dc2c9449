// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.LogWriting;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The log files of an open database. Appending, flushing, syncing and closing are for one thread at
 * a time, who holds the commit lock; truncating and asking may go on beside it.
 *
 * <h2>Files</h2>
 *
 * A file that has reached its size is followed by another one, whose head is forced to the device.
 * The contents of the old file are not, so that writes that ask for no sync are not held up: the
 * next {@link #sync} forces all files in order. The head is a {@link LogLink} that says how long
 * the file before is; another link says, later, that the files before are on the device. So a
 * replay notices a log that has lost its end or a file of its middle, and can tell whether a crash
 * explains the loss.
 *
 * <p>With {@link LogWriting#MAPPED} a file is filled with zeros first, and records are put into a
 * mapping of it. Then a link also says, behind each sync, how much of its own file is on the
 * device.
 *
 * <p>Names come and go in order, each durably before the next: files are created behind the newest
 * one, and deleted from the oldest on, or, if a replay has left them out, from the newest on. So no
 * crash makes a hole.
 *
 * <h2>Failures</h2>
 *
 * After a write or a sync was ended early by any throwable, every later one fails with the first
 * cause: nobody knows what the device holds behind the last success.
 */
public final class WriteAheadLog implements Closeable {
  /** The directory of the log. */
  public static final String DIRECTORY = "wal";

  /** Open files that are waiting for a sync, at most; more of them are synced when rolling. */
  private static final int UNSYNCED_FILES_MAX = 16;

  private final Storage storage;
  private final LogRegister register;
  private final long fileBytesMax;
  private final LogWriting writing;
  private final ClosedLogs closedLogs;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Kept, so that a commit need not allocate it. */
  private final IoRunnable syncFiles = this::syncFiles;

  // Guarded by the caller's lock.
  private LogFileWriter current;
  private long lastSequence;
  private int unsyncedFiles;

  private final AtomicLong appendedBytes = new AtomicLong();
  private volatile long currentBytes;
  private volatile long closedBytes = -1;

  /**
   * Begins a new file behind those that are there. Of these, what was replayed is forced to the
   * device, and what the replay has left out is deleted.
   *
   * @param register numbers the files, and records which of them there are
   * @param fileBytesMax size at which the next file is begun
   * @param writing how records reach the operating system
   * @param replayed the files that {@link LogReplay} has found, oldest first
   */
  public WriteAheadLog(
      Storage storage,
      LogRegister register,
      long fileBytesMax,
      LogWriting writing,
      Iterable<SealedLog> replayed)
      throws IOException {
    this.storage = storage;
    this.register = register;
    this.fileBytesMax = fileBytesMax;
    this.writing = writing;
    this.closedLogs = new ClosedLogs(storage, register);
    adopt(replayed);
    SealedLog newest = closedLogs.newest();
    LogLink link =
        newest == null
            ? new LogLink(0, 0, 0, 0, 0, register.mark())
            : LogLink.behind(newest, newest.fileNumber(), register.mark());
    this.lastSequence = link.previousSequence();
    this.current = begin(nextNumberAbove(link.previousNumber()), link);
    this.currentBytes = current.bytes();
  }

  /** Makes the files that are there the durable beginning of the log. */
  private void adopt(Iterable<SealedLog> replayed) throws IOException {
    List<KnownLog> kept = new ArrayList<>();
    List<Long> leftOut = LogFileNames.list(storage);
    for (SealedLog log : replayed) {
      // A process that was killed may have left much to the operating system.
      storage.sync(LogFileNames.nameOf(log.fileNumber()));
      closedLogs.add(log, null);
      kept.add(log.known());
      leftOut.remove(log.fileNumber());
    }
    storage.syncDirectory(DIRECTORY);
    register.begin(kept, leftOut);
    for (int i = leftOut.size() - 1; i >= 0; i--) {
      storage.delete(LogFileNames.nameOf(leftOut.get(i)));
      storage.syncDirectory(DIRECTORY);
    }
  }

  /**
   * Appends a record.
   *
   * @param payload the bytes from 0 to the limit; position and limit stay
   * @param payloadCrc CRC32C of the payload, not masked
   * @param firstSequence above all sequence numbers appended before
   * @param count how many sequence numbers the record has; at least 1
   */
  public void append(ByteBuffer payload, int payloadCrc, long firstSequence, int count)
      throws IOException {
    if (firstSequence <= lastSequence || count < 1) {
      throw new IllegalArgumentException(
          count + " sequence numbers from " + firstSequence + " on, behind " + lastSequence);
    }
    checkAlive();
    try {
      if (current.bytes() >= fileBytesMax) {
        roll();
      }
      appendLink();
      long before = current.bytes();
      current.append(payload, payloadCrc, firstSequence, count);
      lastSequence = firstSequence + count - 1;
      currentBytes = current.bytes();
      appendedBytes.addAndGet(currentBytes - before);
    } catch (Throwable e) {
      // Without an IoRunnable, which each batch would have to allocate; in flush() too.
      failure.compareAndSet(null, e);
      throw e;
    }
  }

  /** Checks that the log is still where it was; see {@link Storage#checkFolder}. */
  public void checkFolder() throws IOException {
    storage.checkFolder();
  }

  /** Hands all records to the operating system. */
  public void flush() throws IOException {
    checkAlive();
    try {
      current.flush();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      throw e;
    }
  }

  /** Forces all records to the device. */
  public void sync() throws IOException {
    checkAlive();
    recordFailure(syncFiles);
  }

  private void syncFiles() throws IOException {
    if (unsyncedFiles > 0) {
      syncBefore();
    }
    current.flush();
    closedLogs.syncUpTo(current.records());
  }

  /**
   * Hands to the operating system a link that says what is on the device, of the log and of the
   * manifest, unless the newest link still holds.
   */
  public void flushLink() throws IOException {
    checkAlive();
    recordFailure(
        () -> {
          if (appendLink()) {
            current.flush();
          }
        });
  }

  /**
   * Forces the files before the current one to the device, so that damage of them is not taken for
   * what a loss of power leaves. May be called beside everything else.
   */
  public void syncClosed() throws IOException {
    checkAlive();
    recordFailure(closedLogs::sync);
  }

  /**
   * Hands all records to the operating system, and returns what forces them to the device, which
   * may run beside everything else.
   */
  public IoRunnable flushForSync() throws IOException {
    flush();
    RecordWriter newest = current.records();
    return () -> recordFailure(() -> closedLogs.syncUpTo(newest));
  }

  /** Forces to the device what is there of the log of a database that is being opened. */
  public static void syncAll(Storage storage) throws IOException {
    for (long number : LogFileNames.list(storage)) {
      storage.sync(LogFileNames.nameOf(number));
    }
  }

  /**
   * Forces all records to the device and goes on in a new file; returns the files before it, oldest
   * first, which will not change any more. For who holds the commit lock.
   */
  public List<SealedLog> seal() throws IOException {
    sync();
    recordFailure(
        () -> {
          roll();
          closedLogs.sync();
        });
    return closedLogs.all();
  }

  /** Keeps log files from being deleted until the pin is closed, once. */
  public Closeable pin() {
    return closedLogs.pin();
  }

  /**
   * Has files that the database needs no more kept, if any are to be kept.
   *
   * @param beforeKeeping runs each time, so that what readers of the files need is kept, too
   */
  public void keepWith(KeptLogs kept, IoRunnable beforeKeeping) {
    closedLogs.keepWith(
        needless -> {
          if (kept.isOn()) {
            beforeKeeping.run();
            kept.keep(needless);
          }
        });
  }

  /** Returns the name of a log file. */
  public static String nameOf(long fileNumber) {
    return LogFileNames.nameOf(fileNumber);
  }

  /** Returns the numbers of all log files in a folder, in order. */
  public static List<Long> numbers(Storage storage) throws IOException {
    return LogFileNames.list(storage);
  }

  /** Returns the bytes of all log files. */
  public long totalBytes() {
    return currentBytes + closedLogs.totalBytes();
  }

  /** Returns the length of the current file once the log was closed whole; before that, -1. */
  public long closedBytes() {
    return closedBytes;
  }

  /** Returns the bytes appended since the log was opened. */
  public long bytesAppended() {
    return appendedBytes.get();
  }

  /**
   * Returns the last sequence number of the oldest file, or -1 if there is only the current one.
   */
  public long oldestFileLastSequence() {
    SealedLog oldest = closedLogs.oldest();
    return oldest == null ? -1 : oldest.lastSequence();
  }

  /**
   * Deletes the files, oldest first, that hold nothing at or above a sequence number; never the
   * current one. May be called beside everything else.
   */
  public void truncate(long oldestNeededSequence) throws IOException {
    closedLogs.deleteBelow(oldestNeededSequence);
  }

  /** Syncs and closes the log; after a failure, only closes it. */
  @Override
  public void close() throws IOException {
    try {
      if (failure.get() == null) {
        sync();
        if (appendLink()) {
          sync();
        }
        closedBytes = current.bytes();
      }
    } finally {
      try {
        closedLogs.close();
      } finally {
        current.close();
      }
    }
  }

  /** Goes on in a new file. */
  private void roll() throws IOException {
    current.flush();
    SealedLog full = current.sealed(lastSequence);
    long next = nextNumberAbove(current.number());
    LogFileWriter begun = begin(next, current.nextLink(full, register.mark()));
    currentBytes = begun.bytes();
    closedLogs.add(full, current.records());
    current = begun;
    if (++unsyncedFiles > UNSYNCED_FILES_MAX) {
      syncBefore();
    }
    register.rolled();
  }

  private LogFileWriter begin(long number, LogLink link) throws IOException {
    return LogFileWriter.begin(storage, register, writing, fileBytesMax, number, link);
  }

  /** Forces the files before the current one to the device, and says so in the current one. */
  private void syncBefore() throws IOException {
    closedLogs.sync();
    unsyncedFiles = 0;
    appendLink();
  }

  /** Appends a link if the newest one does not hold any more; returns whether it did not. */
  private boolean appendLink() throws IOException {
    boolean appended = current.appendLink(register.mark(), closedLogs.durableNumber());
    if (appended) {
      currentBytes = current.bytes();
    }
    return appended;
  }

  private long nextNumberAbove(long used) throws IOException {
    long number = register.nextNumber();
    if (number <= used) {
      throw new IllegalStateException("file number " + number + " was used before");
    }
    return number;
  }

  private void checkAlive() throws IOException {
    Throwable first = failure.get();
    if (first != null) {
      throw new IOException("the log has failed before", first);
    }
  }

  /** Takes a step after whose failure the log refuses all later ones. */
  private void recordFailure(IoRunnable step) throws IOException {
    try {
      step.run();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      throw e;
    }
  }
}
