// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.LogWriting;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.failure.FirstFailure;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The log files of an open database. Only the thread that holds the commit lock may append, flush,
 * sync or close. Other threads may truncate and query the log at the same time.
 *
 * <h2>Files</h2>
 *
 * When a file is full, the log continues in another one, which another thread has prepared (see
 * {@link LogFileCreator}). It does not force the contents of the old file, so that writes without
 * sync do not wait: the next {@link #sync} forces all files in order. A file begins with a {@link
 * LogLink} that says how long the file before is; another link says, later, that the files before
 * are on the device. So a replay notices that an end or a file of the middle is missing, and
 * whether a crash explains the loss.
 *
 * <p>With {@link LogWriting#MAPPED} a file is filled with zeros first, and records are copied into
 * a mapping of it. Then a link after each sync also says how much of its own file is on the device.
 *
 * <p>Files are created and deleted in order, each change being durable before the next: new files
 * follow the newest one, and files are deleted from the oldest on or, if a replay has left them
 * out, from the newest on. So no crash leaves a gap.
 *
 * <h2>Failures</h2>
 *
 * After any throwable has ended a write or a sync early, every later one fails with the first
 * cause, because what the device holds behind the last success is unknown.
 *
 * <p>A lack of room, or a failure to begin a file, can pass ({@link WritesSuspendedException}).
 * Then {@link #resume} hands the records up to the last requested flush to the operating system,
 * and continues in a new file, whose first link says that the old one ends there.
 */
public final class WriteAheadLog implements Closeable {
  /** The directory of the log. */
  public static final String DIRECTORY = "wal";

  /** Maximum number of files that wait for a sync; a new file first syncs any more than these. */
  private static final int UNSYNCED_FILES_MAX = 16;

  private final Storage storage;
  private final LogRegister register;
  private final long fileBytesMax;
  private final LogFileCreator files;
  private final ClosedLogs closedLogs;
  private final FirstFailure failure = new FirstFailure();

  // Guarded by the caller's lock.
  private LogFileWriter current;
  private long lastSequence;
  private boolean askedForNext;
  // The length of the current file, and the last sequence number, that a resumption keeps.
  private long settledBytes;
  private long settledSequence;

  private final AtomicLong appendedBytes = new AtomicLong();
  private volatile long currentBytes;
  private volatile boolean upkeepRuns;
  private volatile long closedBytes = -1;

  /**
   * Starts a new file after the existing ones. The replayed files are forced to the device; files
   * that the replay has left out are deleted.
   *
   * @param register allocates numbers for the files, and records which of them belong to the log
   * @param fileBytesMax length in bytes up to which records are added to a file
   * @param writing how records reach the operating system
   * @param memory allocates the buffer of each file, outside of the heap
   * @param replayed the files that {@link LogReplay} has found, oldest first
   * @param recoveredSequence the last number given out before, for a log of which no file is left
   */
  public WriteAheadLog(
      Storage storage,
      LogRegister register,
      long fileBytesMax,
      LogWriting writing,
      IntFunction<ByteBuffer> memory,
      Iterable<SealedLog> replayed,
      long recoveredSequence)
      throws IOException {
    this.storage = storage;
    this.register = register;
    this.fileBytesMax = fileBytesMax;
    this.closedLogs = new ClosedLogs(storage, register);
    closedLogs.adopt(replayed);
    SealedLog newest = closedLogs.newest();
    LogLink link =
        newest == null
            ? new LogLink(0, 0, recoveredSequence, 0, 0, register.mark())
            : LogLink.behind(newest, newest.fileNumber(), register.mark());
    this.lastSequence = link.previousSequence();
    this.files = new LogFileCreator(storage, register, closedLogs, writing, fileBytesMax, memory);
    this.current = files.begin(link);
    this.currentBytes = current.bytes();
    settle();
  }

  /**
   * Appends a record. It starts a new file only if all earlier records are {@link #settle settled}.
   * While {@link #upkeep} runs and that file is missing, files take records up to twice the length.
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
    failure.check();
    try {
      if (current.bytes() == settledBytes && !takes(payload.limit())) {
        roll(current.sealed(current.bytes(), lastSequence));
      } else if (!askedForNext && current.bytes() >= fileBytesMax / 2 && !files.isPrepared()) {
        askedForNext = true;
        register.upkeepIsDue();
      }
      appendLink();
      long before = current.bytes();
      current.append(payload, payloadCrc, firstSequence, count);
      lastSequence = firstSequence + count - 1;
      currentBytes = current.bytes();
      appendedBytes.addAndGet(currentBytes - before);
    } catch (Throwable e) {
      // No IoRunnable here and in flush(), because each batch would have to allocate it.
      throw failed(e);
    }
  }

  /** Returns the last sequence number of the log; before its first record, the recovered one. */
  public long lastSequence() {
    return lastSequence;
  }

  /** Makes later resumptions keep all records that have been appended so far, as a flush does. */
  public void settle() {
    settledBytes = current.bytes();
    settledSequence = lastSequence;
  }

  /**
   * Continues after a {@link WritesSuspendedException}, without the records appended after the last
   * {@link #settle}. Does nothing if the log has not failed.
   *
   * @throws WritesSuspendedException if that fails and may be tried again
   */
  public void resume() throws IOException {
    if (!FirstFailure.passes(failure.get())) {
      failure.check();
      return;
    }
    appending(
        () -> {
          current.records().resume(settledBytes);
          lastSequence = settledSequence;
          roll(current.sealed(settledBytes, settledSequence));
          files.confirm();
        });
    failure.clear();
  }

  /** Checks that the folder was not moved or replaced; see {@link Storage#checkFolder}. */
  public void checkFolder() throws IOException {
    storage.checkFolder();
  }

  /** Hands all records to the operating system. */
  public void flush() throws IOException {
    failure.check();
    try {
      current.flush();
      settle();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Forces all records to the device. */
  public void sync() throws IOException {
    failure.check();
    appending(
        () -> {
          closedLogs.syncIfMoreThan(0);
          if (closedLogs.durableNumber() > current.durableNumber()) {
            appendLink();
          }
          current.flush();
          closedLogs.syncUpTo(current.records());
          settle();
        });
  }

  /** Writes a link and hands it to the operating system, unless the newest one says the same. */
  public void flushLink() throws IOException {
    failure.check();
    appending(
        () -> {
          if (appendLink()) {
            current.flush();
            settle();
          }
        });
  }

  /**
   * Prepares the next file, so that writers do not wait for it, and forces the files before the
   * current one to the device, so that later damage of them is not mistaken for a loss of power.
   * May run at the same time as all other methods.
   */
  public void upkeep() throws IOException {
    failure.check();
    upkeepRuns = true;
    try {
      files.prepare();
      closedLogs.sync();
    } catch (OutOfMemoryError e) {
      // No force has failed: LogForcing would have thrown an IOException. So it may be tried again.
      throw new WritesSuspendedException(e);
    } catch (Throwable e) {
      failure.recordPermanent(e);
      throw e;
    } finally {
      upkeepRuns = false;
    }
  }

  /**
   * Hands all records to the operating system, and returns an action that forces them to the
   * device. The action may run at the same time as all other methods.
   */
  public IoRunnable flushForSync() throws IOException {
    flush();
    RecordWriter newest = current.records();
    return () -> recordFailure(() -> closedLogs.syncUpTo(newest));
  }

  /**
   * Forces all records to the device and continues in a new file; returns the files before it,
   * oldest first, which no longer change. The caller must hold the commit lock.
   */
  public List<SealedLog> seal() throws IOException {
    sync();
    appending(
        () -> {
          roll(current.sealed(current.bytes(), lastSequence));
          closedLogs.sync();
        });
    return closedLogs.all();
  }

  /** Keeps log files from being deleted until the pin is closed, once. */
  public Closeable pin() {
    return closedLogs.pin();
  }

  /**
   * Keeps files that the database no longer needs, if any must be kept.
   *
   * @param beforeKeeping runs each time before, to keep what readers of the files need
   */
  public void keepWith(KeptLogs kept, IoRunnable beforeKeeping) {
    closedLogs.keepWith(kept.keeper(beforeKeeping));
  }

  /** Returns the newest file before the current one, or null. */
  public @Nullable SealedLog newestClosed() {
    return closedLogs.newest();
  }

  /** Returns the number of the current file. Only for the thread that holds the commit lock. */
  public long currentNumber() {
    return current.number();
  }

  /** Returns the bytes of all log files. */
  public long totalBytes() {
    return currentBytes + closedLogs.totalBytes();
  }

  /** Returns the number of log files. */
  public int fileCount() {
    return 1 + closedLogs.count();
  }

  /** Returns the length of the current file if the log was closed completely, else -1. */
  public long closedBytes() {
    return closedBytes;
  }

  /** Returns the bytes appended since the log was opened. */
  public long bytesAppended() {
    return appendedBytes.get();
  }

  /** Returns the last sequence number of the oldest file; -1 if there is only the current one. */
  public long oldestFileLastSequence() {
    SealedLog oldest = closedLogs.oldest();
    return oldest == null ? -1 : oldest.lastSequence();
  }

  /** Deletes the files, oldest first, that end below a sequence number; never the current one. */
  public void truncate(long oldestNeededSequence) throws IOException {
    recordFailure(files::confirm);
    closedLogs.deleteBelow(oldestNeededSequence, files.confirmedNumber());
  }

  /** Syncs and closes the log; after a failure, only closes it. */
  @Override
  public void close() throws IOException {
    try (LogFileWriter last = current;
        closedLogs;
        files) {
      if (failure.get() == null) {
        sync();
        files.finish();
        if (appendLink()) {
          sync();
        }
        closedBytes = last.bytes();
      }
    }
  }

  private boolean takes(int payloadBytes) {
    long bytesMax = upkeepRuns && !files.isPrepared() ? 2 * fileBytesMax : fileBytesMax;
    return current.takes(payloadBytes, lastSequence, bytesMax);
  }

  /** Continues in a new file after the current one, which ends at the given position. */
  private void roll(SealedLog full) throws IOException {
    current.flush();
    LogFileWriter created = files.begin(current.nextLink(full, register.mark()));
    currentBytes = created.bytes();
    closedLogs.add(full, current.records());
    current = created;
    settle();
    closedLogs.syncIfMoreThan(UNSYNCED_FILES_MAX);
    askedForNext = false;
    register.upkeepIsDue();
  }

  /** Appends a link if the newest one is out of date; returns whether it did. */
  private boolean appendLink() throws IOException {
    boolean appended = current.appendLink(register.mark(), closedLogs.durableNumber());
    if (appended) {
      currentBytes = current.bytes();
    }
    return appended;
  }

  /** Runs a step. If that fails, and not only the register is suspended, the log has failed. */
  private void recordFailure(IoRunnable step) throws IOException {
    try {
      step.run();
    } catch (Throwable e) {
      failure.recordPermanent(e);
      throw e;
    }
  }

  /** Runs a step that appends to the log, and records its failure. */
  private void appending(IoRunnable step) throws IOException {
    try {
      step.run();
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /**
   * Records a failure, and returns the exception to throw: a temporary one if the current file can
   * accept the rest of the records later.
   */
  private IOException failed(Throwable e) {
    boolean mayPass =
        e instanceof IOException
            && !(e instanceof DatabaseFailedException)
            && current.records().isSuspended();
    Throwable failed = mayPass ? new WritesSuspendedException(e) : e;
    failure.record(failed);
    return FirstFailure.checked(failed);
  }
}
