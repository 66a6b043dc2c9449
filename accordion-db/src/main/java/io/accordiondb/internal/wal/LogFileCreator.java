// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.LogWriting;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the files of a log one after another, and prepares the next one ahead. Thread-safe. Its
 * lock comes after the caller's and before those of {@link ClosedLogs} and the register.
 *
 * <p>A prepared file is on the device, and the register knows it. Beginning it is one store, which
 * nobody forces; only when its beginning is on the device does the register say that it must be
 * there. Without a prepared file, the caller waits until a new one, its name and its beginning are
 * on the device and in the register.
 */
final class LogFileCreator implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LogFileCreator.class);

  private final Storage storage;
  private final LogRegister register;
  private final ClosedLogs closedLogs;
  private final LogWriting writing;
  private final long fileBytes;
  private final IntFunction<ByteBuffer> memory;
  private final ReentrantLock lock = new ReentrantLock();

  /** The file in which the log continues next, if it is there. Written under the lock. */
  private volatile @Nullable PreparedLog prepared;

  /**
   * The file that was prepared of which the register does not say yet that it has begun, or null.
   * There is only one: the register says it when the next file is prepared.
   */
  @GuardedBy("lock")
  private @Nullable LogFileWriter unconfirmed;

  /** The number of the newest file that has begun. */
  @GuardedBy("lock")
  private long newestNumber;

  /** A file that may not be part of the log, to be deleted before the next one is created; or 0. */
  @GuardedBy("lock")
  private long unfinishedNumber;

  /** Whether the register may know the unfinished file. */
  @GuardedBy("lock")
  private boolean unfinishedMayBeKnown;

  @GuardedBy("lock")
  private boolean closed;

  private volatile long confirmedNumber;

  LogFileCreator(
      Storage storage,
      LogRegister register,
      ClosedLogs closedLogs,
      LogWriting writing,
      long fileBytes,
      IntFunction<ByteBuffer> memory) {
    this.storage = storage;
    this.register = register;
    this.closedLogs = closedLogs;
    this.writing = writing;
    this.fileBytes = fileBytes;
    this.memory = memory;
  }

  /**
   * Begins the next file with a link. The file is then part of the log.
   *
   * @throws WritesSuspendedException if that fails and may be tried again
   */
  LogFileWriter begin(LogLink link) throws IOException {
    lock.lock();
    try {
      newestNumber = link.previousNumber();
      PreparedLog next = prepared;
      LogFileWriter begun = next == null ? beginAtOnce(link) : beginPrepared(next, link);
      newestNumber = begun.number();
      unfinishedNumber = 0;
      return begun;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private LogFileWriter beginPrepared(PreparedLog next, LogLink link) throws IOException {
    prepared = null;
    unfinishedNumber = next.number();
    unfinishedMayBeKnown = true;
    LogFileWriter begun = begin(next, link);
    unconfirmed = begun;
    return begun;
  }

  @GuardedBy("lock")
  private LogFileWriter beginAtOnce(LogLink link) throws IOException {
    PreparedLog created;
    try {
      created = create();
    } catch (IOException | OutOfMemoryError e) {
      throw suspended(e);
    }
    LogFileWriter begun = begin(created, link);
    try {
      force(begun);
      unfinishedMayBeKnown = true;
      record(List.of(begun.known()));
      if (unconfirmed == null) {
        confirmedNumber = begun.number();
      }
      return begun;
    } catch (OutOfMemoryError e) {
      try (begun) {
        throw suspended(e);
      }
    } catch (Throwable e) {
      // Whether the log can continue later depends on this failure, and not on one of closing.
      try (begun) {
        throw e;
      }
    }
  }

  /** Writes the first link; if that fails, closes the file. */
  private static LogFileWriter begin(PreparedLog file, LogLink link) throws IOException {
    try {
      return file.begin(link);
    } catch (IOException | OutOfMemoryError e) {
      try (file) {
        throw suspended(e);
      }
    } catch (RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  /**
   * Forces a file that holds nothing but its first link, and its name, to the device. If that
   * fails, nothing is lost: {@link #create} deletes the file, and the log continues in another one.
   */
  private void force(LogFileWriter begun) throws IOException {
    try {
      begun.records().force();
      storage.syncDirectory(WriteAheadLog.DIRECTORY);
    } catch (IOException e) {
      throw suspended(e);
    }
  }

  /** Returns the exception to throw when the log cannot continue in a file, but is whole. */
  private static IOException suspended(Throwable e) {
    return e instanceof DatabaseFailedException failed ? failed : new WritesSuspendedException(e);
  }

  /**
   * Records files in the register. Without memory for that, the files are as they were, unless the
   * register fails from then on.
   */
  private void record(List<KnownLog> files) throws IOException {
    try {
      register.add(files);
    } catch (OutOfMemoryError e) {
      throw suspended(e);
    }
  }

  @GuardedBy("lock")
  private PreparedLog create() throws IOException {
    long number = register.nextNumber();
    if (number <= newestNumber) {
      throw new IllegalStateException("file number " + number + " was used before");
    }
    deleteUnfinished();
    ByteBuffer buffer = memory.apply(RecordWriter.BUFFER_BYTES);
    unfinishedNumber = number;
    unfinishedMayBeKnown = false;
    return PreparedLog.create(storage, writing, fileBytes, number, buffer);
  }

  @GuardedBy("lock")
  private void deleteUnfinished() throws IOException {
    if (unfinishedNumber == 0) {
      return;
    }
    if (unfinishedMayBeKnown) {
      register.remove(List.of(unfinishedNumber));
      unfinishedMayBeKnown = false;
    }
    String name = LogFileNames.nameOf(unfinishedNumber);
    if (storage.exists(name)) {
      storage.delete(name);
    }
    unfinishedNumber = 0;
  }

  /** Returns whether the next file is there. */
  boolean isPrepared() {
    return prepared != null;
  }

  /**
   * Prepares the next file, unless it is there, and records that the newest one has begun. If a
   * file cannot be created, {@link #begin} tries it again.
   *
   * @throws IOException if the newest file cannot be forced to the device, or the register fails
   */
  void prepare() throws IOException {
    forceUnconfirmed();
    prepareNext();
  }

  private void prepareNext() throws IOException {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      PreparedLog next = prepared == null ? createAhead() : null;
      if (next == null) {
        confirm();
        return;
      }
      try {
        List<KnownLog> changed = new ArrayList<>(forcedBeginnings());
        changed.add(KnownLog.prepared(next.number()));
        unfinishedMayBeKnown = true;
        record(changed);
      } catch (Throwable e) {
        // Whether the log can continue later depends on this failure, and not on one of closing.
        try (next) {
          throw e;
        }
      }
      setConfirmed();
      unfinishedNumber = 0;
      prepared = next;
    } finally {
      lock.unlock();
    }
  }

  /** Creates a file, and forces its header and its name to the device; null if that fails. */
  @GuardedBy("lock")
  private @Nullable PreparedLog createAhead() throws IOException {
    try {
      PreparedLog created = create();
      boolean isDurable = false;
      try {
        created.sync();
        storage.syncDirectory(WriteAheadLog.DIRECTORY);
        isDurable = true;
        return created;
      } finally {
        if (!isDurable) {
          created.close();
        }
      }
    } catch (IOException | OutOfMemoryError e) {
      LOG.debug("the next log file could not be created ahead; it is tried again later", e);
      return null;
    }
  }

  /**
   * Forces the beginning of the newest file to the device, and records that it has begun, if that
   * is not known. Does nothing once the files are closed.
   *
   * @throws WritesSuspendedException if recording it fails for lack of memory, and may be tried
   *     again
   */
  void confirm() throws IOException {
    try {
      confirmBegun();
    } catch (OutOfMemoryError e) {
      throw suspended(e);
    }
  }

  private void confirmBegun() throws IOException {
    lock.lock();
    try {
      List<KnownLog> begun = closed ? List.of() : forcedBeginnings();
      if (!begun.isEmpty()) {
        record(begun);
        setConfirmed();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void setConfirmed() {
    unconfirmed = null;
    confirmedNumber = newestNumber;
  }

  /**
   * Returns the number of the newest file up to which the beginnings of all are on the device. It
   * says what the last sequence number before it is, so the files before are no longer needed for
   * that.
   */
  long confirmedNumber() {
    return confirmedNumber;
  }

  /** Forces the beginning that the register does not know, without keeping others waiting. */
  private void forceUnconfirmed() throws IOException {
    LogFileWriter begun;
    lock.lock();
    try {
      begun = unconfirmed;
    } finally {
      lock.unlock();
    }
    if (begun != null) {
      forceBeginning(begun);
    }
  }

  /** Forces the beginning of a file, with all else that it holds, unless that was done before. */
  private void forceBeginning(LogFileWriter begun) throws IOException {
    if (begun.records().durableBytes() <= RecordFileHeader.BYTES) {
      closedLogs.forceCurrent(begun.records());
    }
  }

  /** Forces the beginning that the register does not know, and returns it, if there is one. */
  @GuardedBy("lock")
  private List<KnownLog> forcedBeginnings() throws IOException {
    LogFileWriter begun = unconfirmed;
    if (begun == null) {
      return List.of();
    }
    forceBeginning(begun);
    return List.of(begun.known());
  }

  /** Records that the newest file has begun, and deletes the prepared one. No other follows. */
  void finish() throws IOException {
    lock.lock();
    try {
      confirm();
      closed = true;
      PreparedLog needless = prepared;
      if (needless != null) {
        prepared = null;
        unfinishedNumber = needless.number();
        unfinishedMayBeKnown = true;
        needless.close();
        deleteUnfinished();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes the prepared file, and prepares no other one. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      closed = true;
      PreparedLog needless = prepared;
      if (needless != null) {
        needless.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
