// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.function.IoConsumer;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The files of the log before the current one, which are still to be synced and later deleted.
 * Thread-safe. Lock order: upkeep, then files.
 */
final class ClosedLogs implements Closeable {
  private final Storage storage;
  private final LogRegister register;

  /** Held while files are synced or deleted, so that none is deleted while it is being synced. */
  private final ReentrantLock upkeep = new ReentrantLock();

  /** Oldest first. Files are removed and synced only under upkeep. */
  @GuardedBy("itself")
  private final Deque<ClosedLog> files = new ArrayDeque<>();

  /** Called with files that are about to be deleted. Set before the first file is deleted. */
  private volatile IoConsumer<List<SealedLog>> keeper = files -> {};

  /** The number of callers that hold back the deletion of files. */
  @GuardedBy("upkeep")
  private int pins;

  /** All files up to this number are on the device. Written under upkeep. */
  private volatile long durableNumber;

  ClosedLogs(Storage storage, LogRegister register) {
    this.storage = storage;
    this.register = register;
  }

  /** A file, and its writer until it is synced. The mutable fields are guarded by upkeep. */
  private static final class ClosedLog {
    final SealedLog log;
    @Nullable RecordWriter writer;

    /** Whether the register no longer knows the file, so that it may be deleted. */
    boolean removed;

    ClosedLog(SealedLog log, @Nullable RecordWriter writer) {
      this.log = log;
      this.writer = writer;
    }

    boolean isForced() {
      return writer == null;
    }
  }

  /** Makes the replayed files the durable beginning of the log, and deletes all other log files. */
  void adopt(Iterable<SealedLog> replayed) throws IOException {
    List<KnownLog> kept = new ArrayList<>();
    List<Long> leftOut = LogFileNames.list(storage);
    for (SealedLog log : replayed) {
      // A process that was killed may have left many unsynced bytes to the operating system.
      LogForcing.force(storage, log.fileNumber());
      add(log, null);
      kept.add(log.known());
      leftOut.remove(log.fileNumber());
    }
    storage.syncDirectory(WriteAheadLog.DIRECTORY);
    register.begin(kept, leftOut);
    for (int i = leftOut.size() - 1; i >= 0; i--) {
      storage.delete(LogFileNames.nameOf(leftOut.get(i)));
      storage.syncDirectory(WriteAheadLog.DIRECTORY);
    }
  }

  void keepWith(IoConsumer<List<SealedLog>> newKeeper) {
    keeper = newKeeper;
  }

  /** Adds the newest file, and owns its writer, which is null if the file is durable. */
  void add(SealedLog log, @Nullable RecordWriter writer) {
    synchronized (files) {
      files.addLast(new ClosedLog(log, writer));
    }
  }

  @Nullable SealedLog oldest() {
    synchronized (files) {
      ClosedLog oldest = files.peekFirst();
      return oldest == null ? null : oldest.log;
    }
  }

  @Nullable SealedLog newest() {
    synchronized (files) {
      ClosedLog newest = files.peekLast();
      return newest == null ? null : newest.log;
    }
  }

  long totalBytes() {
    synchronized (files) {
      return files.stream().mapToLong(file -> file.log.bytes()).sum();
    }
  }

  /** Returns the number of files. */
  int count() {
    synchronized (files) {
      return files.size();
    }
  }

  /** Returns all files that are part of the log, oldest first. */
  List<SealedLog> all() {
    upkeep.lock();
    try {
      return snapshot().stream().filter(file -> !file.removed).map(file -> file.log).toList();
    } finally {
      upkeep.unlock();
    }
  }

  /** Returns the number up to which all files were forced to the device. */
  long durableNumber() {
    return durableNumber;
  }

  /** Forces all files to the device if more of them than a number were not forced yet. */
  void syncIfMoreThan(int count) throws IOException {
    if (unsyncedCount() > count) {
      sync();
    }
  }

  private int unsyncedCount() {
    long durable = durableNumber;
    int count = 0;
    synchronized (files) {
      Iterator<ClosedLog> newestFirst = files.descendingIterator();
      while (newestFirst.hasNext() && newestFirst.next().log.fileNumber() > durable) {
        count++;
      }
    }
    return count;
  }

  /** Keeps all files from being deleted until the pin is closed, once. */
  Closeable pin() {
    Closeable pin = () -> changePins(-1);
    changePins(1);
    return pin;
  }

  private void changePins(int change) {
    upkeep.lock();
    try {
      pins += change;
    } finally {
      upkeep.unlock();
    }
  }

  /** Forces all files to the device and closes them. */
  void sync() throws IOException {
    upkeep.lock();
    try {
      syncClosed();
    } finally {
      upkeep.unlock();
    }
  }

  /**
   * Forces all files up to the given one to the device, and the flushed part of that one. It was
   * the current file when the caller looked; since then it may have been added here, and may have
   * been synced and closed.
   *
   * <p>Only one sync runs at a time, because the operating system may report a failure to only one
   * of two concurrent syncs.
   */
  void syncUpTo(RecordWriter newest) throws IOException {
    upkeep.lock();
    try {
      syncClosed();
      LogForcing.force(storage, newest::force);
    } finally {
      upkeep.unlock();
    }
  }

  /** Forces what was flushed of the current file to the device. */
  void forceCurrent(RecordWriter current) throws IOException {
    upkeep.lock();
    try {
      LogForcing.force(storage, current::force);
    } finally {
      upkeep.unlock();
    }
  }

  @GuardedBy("upkeep")
  private void syncClosed() throws IOException {
    for (ClosedLog file : snapshot()) {
      RecordWriter writer = file.writer;
      if (writer != null) {
        LogForcing.force(storage, writer::sync);
        file.writer = null;
        writer.close();
      }
      durableNumber = Math.max(durableNumber, file.log.fileNumber());
    }
  }

  /**
   * Deletes the files, oldest first, whose last sequence number is below another one. It first
   * removes them from the register, so that no replay misses them. Each deletion is on the device
   * before the next one begins. Files that were not forced to the device yet stay: a file that is
   * kept must have all that the next one says.
   *
   * @param end the number of the first file that stays, whatever its sequence numbers
   */
  void deleteBelow(long sequence, long end) throws IOException {
    removeBelow(sequence, end);
    boolean deleted = true;
    while (deleted) {
      // Take the lock for each file separately, because a sync may be waiting.
      upkeep.lock();
      try {
        deleted = deleteOldestBelow(sequence);
      } finally {
        upkeep.unlock();
      }
    }
  }

  private void removeBelow(long sequence, long end) throws IOException {
    upkeep.lock();
    try {
      List<ClosedLog> needless =
          snapshot().stream()
              .takeWhile(ClosedLog::isForced)
              .filter(file -> !file.removed && file.log.fileNumber() < end)
              .filter(file -> file.log.lastSequence() < sequence)
              .toList();
      if (pins == 0 && !needless.isEmpty()) {
        keeper.accept(needless.stream().map(file -> file.log).toList());
        register.remove(needless.stream().map(file -> file.log.fileNumber()).toList());
        // Allocate nothing here, because the register has already removed the files.
        for (int i = 0; i < needless.size(); i++) {
          needless.get(i).removed = true;
        }
      }
    } finally {
      upkeep.unlock();
    }
  }

  @GuardedBy("upkeep")
  private boolean deleteOldestBelow(long sequence) throws IOException {
    ClosedLog oldest;
    synchronized (files) {
      oldest = files.peekFirst();
    }
    if (pins > 0 || oldest == null || !oldest.removed || oldest.log.lastSequence() >= sequence) {
      return false;
    }
    delete(oldest);
    return true;
  }

  @GuardedBy("upkeep")
  private void delete(ClosedLog file) throws IOException {
    String name = LogFileNames.nameOf(file.log.fileNumber());
    if (storage.exists(name)) {
      storage.delete(name);
    }
    // If this fails, the next call does it again, before it deletes the next file.
    storage.syncDirectory(WriteAheadLog.DIRECTORY);
    synchronized (files) {
      files.removeFirst();
    }
  }

  /** Closes the files without forcing them to the device. */
  @Override
  public void close() throws IOException {
    upkeep.lock();
    try {
      boolean unused = LogForcing.noteOwed(storage);
      closeAll(snapshot().iterator());
    } finally {
      upkeep.unlock();
    }
  }

  /** Closes all files, even if closing one fails. */
  private static void closeAll(Iterator<ClosedLog> closing) throws IOException {
    while (closing.hasNext()) {
      RecordWriter writer = closing.next().writer;
      if (writer != null) {
        try (writer) {
          closeAll(closing);
        }
      }
    }
  }

  private List<ClosedLog> snapshot() {
    synchronized (files) {
      return List.copyOf(files);
    }
  }
}
