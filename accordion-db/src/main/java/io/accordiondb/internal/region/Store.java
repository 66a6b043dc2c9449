// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.HistoryLostException;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.statistics.FileStatistics;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One family of one region: a memory store in front of sorted tables. Thread-safe.
 *
 * <p>Data moves one way: {@link #memStore} takes writes; a flush adds a file made from its snapshot
 * by {@link #install} and then clears the snapshot; compactions replace files by {@link #install}.
 */
public final class Store {
  private final StoreId id;
  private final String tableName;
  private final RegionRecord region;
  private final byte[] family;
  private final MemStore memStore;
  private final StoreViews views;
  private final long historyStart;
  private final AtomicReference<FileSet> files;

  /** Held by the one flush that runs on this store. */
  private final ReentrantLock flushLock = new ReentrantLock();

  /** Held by the one compaction that runs on this store. */
  private final ReentrantLock compactionLock = new ReentrantLock();

  /** Whether a flush has been requested and not begun. */
  private final AtomicBoolean flushRequested = new AtomicBoolean();

  private final AtomicBoolean compactionRequested = new AtomicBoolean();
  private volatile FamilyDescriptor descriptor;
  private volatile boolean closed;
  private volatile boolean retired;
  private volatile @Nullable FlushFailure flushFailure;

  /**
   * Opens a store.
   *
   * @param columns the cache of single columns, or null
   * @param historyStart the sequence number before which the store knows nothing of its family
   * @param files its sorted tables; the store takes over the references
   * @param ranges range tombstones, which delete from the tables
   * @param levelFileBytes supplies the size of tables of deeper levels
   */
  public Store(
      StoreId id,
      String tableName,
      RegionRecord region,
      FamilyDescriptor descriptor,
      MemStore memStore,
      @Nullable ColumnCache columns,
      long historyStart,
      List<StoreFile> files,
      RangeTombstones ranges,
      LongSupplier levelFileBytes) {
    this.id = id;
    this.tableName = tableName;
    this.region = region;
    this.family = descriptor.nameBytes();
    this.descriptor = descriptor;
    this.memStore = memStore;
    this.views = new StoreViews(descriptor, memStore, columns, this::retainFiles);
    this.historyStart = historyStart;
    LongSupplier numbers = columns == null ? () -> 0 : columns::newSetNumber;
    this.files = new AtomicReference<>(new FileSet(files, ranges, numbers, levelFileBytes));
    files.forEach(StoreFile::release);
    memStore.setOlderRows((cell, offset) -> currentFiles().mayHaveRow(cell, offset));
  }

  /** Returns the store's name, which never changes. */
  public StoreId id() {
    return id;
  }

  /** Returns the name of the store's table. */
  public String tableName() {
    return tableName;
  }

  /** Returns where the store belongs, for messages. */
  public String name() {
    return "table " + tableName + ", region " + id.regionId() + ", family " + descriptor.name();
  }

  /** Returns the name of the family. */
  public byte[] family() {
    return family;
  }

  /** Returns the owner that the store's files record, without what differs between files. */
  public FileOwner owner() {
    FamilyDescriptor now = descriptor;
    return new FileOwner(
        tableName, region, new FamilyRecord(id.familyId(), now.name(), now.attributes()));
  }

  /** Returns the memory store. */
  public MemStore memStore() {
    return memStore;
  }

  /** Returns how the family is configured now. */
  public FamilyDescriptor descriptor() {
    return descriptor;
  }

  /** Changes the configuration; the memory store's options are changed by the caller. */
  public void setDescriptor(FamilyDescriptor descriptor) {
    this.descriptor = descriptor;
    views.setRules(descriptor.versionRules());
  }

  /** Runs a flush, from snapshot to clearing, after a running one has ended. */
  <T> T flushAlone(IoSupplier<T> flush) throws IOException {
    flushLock.lock();
    try {
      return flush.get();
    } finally {
      flushLock.unlock();
    }
  }

  /** Runs a compaction, from choosing files to replacing them, after a running one has ended. */
  public <T> T compactAlone(IoSupplier<T> compaction) throws IOException {
    compactionLock.lock();
    try {
      return compaction.get();
    } finally {
      compactionLock.unlock();
    }
  }

  /** Takes the locks of compactions and flushes, in this order, or none if that fails. */
  void holdQuiet() {
    compactionLock.lock();
    try {
      flushLock.lock();
    } catch (RuntimeException | Error e) {
      compactionLock.unlock();
      throw e;
    }
  }

  /** Releases the locks that {@link #holdQuiet} has taken. */
  void endQuiet() {
    flushLock.unlock();
    compactionLock.unlock();
  }

  /** Returns whether a flush is running. */
  public boolean isFlushing() {
    return flushLock.isLocked();
  }

  /** Records the request of a flush; returns false if another request has not begun yet. */
  public boolean requestFlush() {
    return flushRequested.compareAndSet(false, true);
  }

  /** Records that the requested flush has begun, or will not begin. */
  public void endFlushRequest() {
    flushRequested.set(false);
  }

  /** Returns why the last flush has failed; null if it has not. */
  public @Nullable FlushFailure flushFailure() {
    return flushFailure;
  }

  /** Sets the failure of the last flush; null for success. */
  void setFlushFailure(@Nullable FlushFailure failure) {
    flushFailure = failure;
  }

  /** Records the request of a compaction; returns false if another request has not ended yet. */
  public boolean requestCompaction() {
    return compactionRequested.compareAndSet(false, true);
  }

  /** Records that the requested compaction has ended, or will not begin. */
  public void endCompactionRequest() {
    compactionRequested.set(false);
  }

  /** Returns whether a compaction was requested and has not ended. */
  public boolean isCompactionRequested() {
    return compactionRequested.get();
  }

  /** Returns whether the store has been closed, or dropped with its table. */
  public boolean isClosed() {
    return closed;
  }

  /** Throws if the store has been closed, or dropped with its table. */
  public void checkOpen() throws StoreClosedException {
    if (closed) {
      throw new StoreClosedException();
    }
  }

  /**
   * Throws if a reader cannot be served. Call this after the reader has taken a view: a store is
   * marked as closed before it loses any cell, so the view of an open store is complete.
   *
   * @param sequence the reader's read point
   * @throws HistoryLostException if the family has lost its cells since that moment
   */
  public void checkReadable(long sequence) throws StoreClosedException, HistoryLostException {
    checkOpen();
    if (sequence < historyStart) {
      throw new HistoryLostException(name(), sequence);
    }
  }

  /** Returns a view of all present cells, of memory and then of files. The caller must close it. */
  public StoreView view(boolean fillCache) throws DatabaseFailedException {
    return views.take(fillCache);
  }

  /** Replaces the snapshot of the memory by a change that the manifest has recorded. */
  void installFlushed(FileChange change) {
    views.exchange(
        () -> {
          install(change, number -> {});
          memStore.clearSnapshot();
        });
  }

  /** Returns the sorted tables, newest first. The caller must release each of them. */
  public List<StoreFile> retainedFiles() {
    FileSet set = retainFiles();
    try {
      set.files().forEach(StoreFile::retain);
      return set.files();
    } finally {
      set.release();
    }
  }

  /** Returns whether range tombstones delete all cells of any sorted table. */
  public boolean hasDeletedFiles() {
    return currentFiles().hasDeletedFiles();
  }

  /** Returns the range tombstones that delete from the sorted tables. */
  public RangeTombstones fileRanges() {
    return currentFiles().ranges();
  }

  /** Returns a change of files as {@link FileSet#change} does, for the set in force. */
  public FileChange change(
      List<StoreFile> added,
      Set<Long> removed,
      RangeTombstones flushed,
      long smallestReadPoint,
      long appliedUpTo) {
    return currentFiles().change(added, removed, flushed, smallestReadPoint, appliedUpTo);
  }

  /** Releases files that {@link #retainedFiles} has returned. */
  public static void release(List<StoreFile> files) {
    files.forEach(StoreFile::release);
  }

  /** Returns the number of sorted tables. */
  public int fileCount() {
    return currentFiles().files().size();
  }

  /**
   * Returns the bytes of each run of sorted tables among which compactions choose, newest first.
   */
  public List<Long> mergedRunBytes() {
    return currentFiles().mergedRunBytes(descriptor);
  }

  /** Returns how many sorted tables a row can be in at most. */
  public int sortedRuns() {
    return currentFiles().runs();
  }

  /** Returns the bytes of sorted tables that wait for a compaction. */
  public long compactionDebtBytes() {
    return currentFiles().debtBytes();
  }

  /** Returns whether some of the files are views, which a compaction has yet to rewrite. */
  public boolean hasViews() {
    return currentFiles().files().stream().anyMatch(file -> file.record().view() != null);
  }

  /** Returns the sorted tables by level. */
  public FileStatistics fileStatistics() {
    return currentFiles().statistics();
  }

  /**
   * Changes the set of files. The manifest must have recorded the change.
   *
   * @param change the change; the store takes over the references of its files
   * @param delete deletes a file by its number, when no reader uses it
   */
  public void install(FileChange change, LongConsumer delete) {
    while (true) {
      FileSet old = retainFiles();
      FileSet next = old.changed(change);
      if (files.compareAndSet(old, next)) {
        for (StoreFile file : old.files()) {
          if (change.removed().contains(file.fileNumber())) {
            long number = file.record().backingNumber();
            file.deleteWhenUnused(() -> delete.accept(number));
          }
        }
        old.release();
        old.release();
        change.added().forEach(StoreFile::release);
        return;
      }
      next.release();
      old.release();
    }
  }

  /** Marks the store before it is closed or dropped: it refuses writes, and its work ends. */
  public void markClosed() {
    closed = true;
  }

  /** Reverts {@link #markClosed}, because the intended change has failed. */
  public void reopen() {
    closed = false;
  }

  /** Marks the store as replaced or dropped: its memory is not needed. It stays closed. */
  public void retire() {
    retired = true;
  }

  /** Returns whether the store was replaced, dropped or closed, so its memory is not needed. */
  public boolean isRetired() {
    return retired;
  }

  /**
   * Closes memory and files, after a running flush has ended. Open views stay readable. Cells that
   * are only in memory are lost.
   */
  public void close() {
    drop(number -> {});
  }

  /** Closes memory and files, and deletes the files when no reader uses them. */
  public void drop(LongConsumer delete) {
    markClosed();
    flushLock.lock();
    try {
      retire();
      memStore.close();
    } finally {
      flushLock.unlock();
    }
    install(FileChange.ofFiles(List.of(), currentFiles().fileNumbers()), delete);
  }

  private FileSet retainFiles() {
    FileSet set = currentFiles();
    while (!set.tryRetain()) {
      set = currentFiles();
    }
    return set;
  }

  private FileSet currentFiles() {
    return Objects.requireNonNull(files.get());
  }
}
