// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.event.FlushEvent;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestChange;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.read.LiveCells;
import io.accordiondb.memstore.FlushSnapshot;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.Readers;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Flushes stores to disk (section 3.1 of the paper). A flush takes a snapshot of the memory store,
 * writes the cells that a reader can still need to one sorted table, records the table in the
 * manifest, and clears the snapshot. Thread-safe; only one flush at a time runs on a store.
 *
 * <p>Before a table is recorded, the log up to its cells is on the device. Otherwise a power
 * failure could leave one store's part of a batch, or of the history, without another store's part.
 * If a thread is free, the log is forced while the table is written.
 *
 * <p>If anything fails before the manifest has recorded the table, the snapshot stays, and the next
 * flush writes it again.
 */
public final class Flusher {
  /**
   * What a flush has written.
   *
   * @param cells cells and range tombstones taken from memory
   * @param bytes length of the new file, 0 when no cell was kept
   * @param isRecorded whether the manifest has recorded it, so that less of the log is needed
   */
  public record Flushed(long cells, long bytes, boolean isRecorded) {
    static final Flushed NOTHING = new Flushed(0, 0, false);

    Flushed plus(Flushed other) {
      return new Flushed(cells + other.cells, bytes + other.bytes, isRecorded || other.isRecorded);
    }
  }

  private final StoreFiles files;
  private final Manifest manifest;
  private final FileRecorder recorder;
  private final IoRunnable syncLog;
  private final Consumer<Runnable> exclusively;
  private final Readers readers;
  private final LongSupplier clockMillis;
  private final LongSupplier clockFloor;
  private final Telemetry telemetry;
  private final LongAdder flushes = new LongAdder();
  private final LongAdder cellsFlushed = new LongAdder();
  private final LongAdder bytesFlushed = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final AtomicInteger onCallers = new AtomicInteger();
  private volatile @Nullable String lastFailure;

  /**
   * Creates a flusher of all stores of a database.
   *
   * @param syncLog forces the logged part of the memory to the device; ends before a flush is
   *     recorded
   * @param exclusively runs an action at a moment when no write is between its number and memory
   * @param clockMillis the time against which the time to live counts
   * @param clockFloor the highest timestamp that a write was given
   * @param telemetry receives each flush
   */
  public Flusher(
      StoreFiles files,
      Manifest manifest,
      IoRunnable syncLog,
      Consumer<Runnable> exclusively,
      Readers readers,
      LongSupplier clockMillis,
      LongSupplier clockFloor,
      Telemetry telemetry) {
    this.telemetry = telemetry;
    this.files = files;
    this.manifest = manifest;
    this.recorder = new FileRecorder(files, manifest);
    this.syncLog = syncLog;
    this.exclusively = exclusively;
    this.readers = readers;
    this.clockMillis = clockMillis;
    this.clockFloor = clockFloor;
  }

  /** Returns how many flushes have taken cells from memory. */
  public long flushes() {
    return flushes.sum();
  }

  /** Returns how many cells and range tombstones they have taken. */
  public long cellsFlushed() {
    return cellsFlushed.sum();
  }

  /** Returns the length of the files that they have written. */
  public long bytesFlushed() {
    return bytesFlushed.sum();
  }

  /** Returns how many threads flush a store for themselves now, or wait for that. */
  public int onCallers() {
    return onCallers.get();
  }

  /** Returns how many flushes have failed. */
  public long failures() {
    return failures.sum();
  }

  /** Returns the last failed flush and its cause, in words; null if none has failed. */
  public @Nullable String lastFailure() {
    return lastFailure;
  }

  /**
   * Flushes the present memory of a store, after a running flush of it has ended: first the
   * snapshot that a failed flush has left, then the rest. Does nothing if the store has been
   * replaced or dropped.
   *
   * @throws IOException if some cells are not in files; these stay in memory
   */
  public Flushed flush(Store store) throws IOException {
    onCallers.incrementAndGet();
    try {
      // No other thread forces the log, so this one does after the table is written.
      return flush(store, task -> {});
    } finally {
      onCallers.decrementAndGet();
    }
  }

  /**
   * Same as {@link #flush(Store)}, but another thread forces the log to the device while the table
   * is written.
   *
   * @param syncs runs the force; if it has no free thread, this thread forces the log afterwards
   */
  public Flushed flush(Store store, Executor syncs) throws IOException {
    return store.flushAlone(() -> flushAll(store, syncs));
  }

  private Flushed flushAll(Store store, Executor syncs) throws IOException {
    try {
      store.endFlushRequest();
      Flushed flushed = Flushed.NOTHING;
      boolean more = !store.isRetired();
      while (more) {
        // An existing snapshot does not hold cells that were written after it was taken.
        more = store.memStore().hasSnapshot();
        flushed = flushed.plus(flushSnapshot(store, syncs));
      }
      store.setFlushFailure(null);
      return flushed;
    } catch (IOException | RuntimeException | Error e) {
      store.setFlushFailure(FlushFailure.after(store.flushFailure(), e));
      lastFailure = FlushFailure.describe(store);
      failures.increment();
      throw e;
    }
  }

  /**
   * Flushes stores that take no writes, so that they can be replaced. When this returns, their
   * memory is empty and the log is on the device, so a replay skips their cells.
   *
   * @throws IOException if that fails, or if the log has failed before: it may then hold a batch
   *     that is not in memory, and a replay must not skip only a part of that batch
   */
  public void empty(List<Store> stores) throws IOException {
    for (Store store : stores) {
      if (!store.isClosed()) {
        throw new IllegalStateException(store.id() + " takes writes while it is emptied");
      }
      flush(store);
      if (!store.memStore().isEmpty()) {
        throw new IllegalStateException(store.id() + " has cells in memory after its flush");
      }
    }
    syncLog.run();
  }

  private Flushed flushSnapshot(Store store, Executor syncs) throws IOException {
    FlushSnapshot[] taken = new FlushSnapshot[1];
    exclusively.accept(() -> taken[0] = store.memStore().snapshot());
    FlushSnapshot snapshot = taken[0];
    if (snapshot.isEmpty()) {
      return Flushed.NOTHING;
    }
    long begun = System.nanoTime();
    telemetry.flushBegins(event(store, snapshot, 0, 0, null));
    Flushed flushed;
    try {
      flushed = write(store, snapshot, syncs);
    } catch (IOException | RuntimeException | Error e) {
      tellEnd(store, snapshot, 0, begun, e);
      throw e;
    }
    flushes.increment();
    cellsFlushed.add(flushed.cells);
    bytesFlushed.add(flushed.bytes);
    tellEnd(store, snapshot, flushed.bytes, begun, null);
    return flushed;
  }

  private void tellEnd(
      Store store,
      FlushSnapshot snapshot,
      long bytesWritten,
      long begun,
      @Nullable Throwable failure) {
    try {
      telemetry.flushEnds(event(store, snapshot, bytesWritten, System.nanoTime() - begun, failure));
    } catch (OutOfMemoryError e) {
      // The report is lost, but the outcome of the flush is valid.
    }
  }

  private static FlushEvent event(
      Store store,
      FlushSnapshot snapshot,
      long bytesWritten,
      long nanos,
      @Nullable Throwable failure) {
    return new FlushEvent(
        store.tableName(),
        store.descriptor().name(),
        store.id().regionId(),
        snapshot.cellCount(),
        snapshot.dataBytes(),
        bytesWritten,
        nanos,
        failure);
  }

  private Flushed write(Store store, FlushSnapshot snapshot, Executor syncs) throws IOException {
    // All cells of the snapshot were logged before it was taken.
    LogSync logSync = new LogSync(syncLog);
    logSync.begin(syncs);
    ReadPointSet readPoints = readers.readPoints();
    List<StoreFile> written = writeTable(store, snapshot, readPoints);
    // The snapshot held all cells of the store up to its newest one.
    record(store, written, snapshot, readPoints.smallest(), logSync);
    long bytes = StoreFile.bytesOf(written);
    return new Flushed(snapshot.cellCount() + snapshot.rangeTombstones().size(), bytes, true);
  }

  /** Writes a table; writes it again if there was no direct memory for the first time. */
  private List<StoreFile> writeTable(Store store, FlushSnapshot snapshot, ReadPointSet readPoints)
      throws IOException {
    try {
      return tryWriteTable(store, snapshot, readPoints);
    } catch (OutOfMemoryError e) {
      files.giveBackAfter(e);
      return tryWriteTable(store, snapshot, readPoints);
    }
  }

  private List<StoreFile> tryWriteTable(
      Store store, FlushSnapshot snapshot, ReadPointSet readPoints) throws IOException {
    // After a repair, cells in memory may be older than tombstones beside the files.
    DeletedRanges deleted =
        DeletedRanges.NONE.and(snapshot.rangeTombstones()).and(store.fileRanges());
    CellFilter filter =
        new StoreFilters(store).ofFlush(readPoints, deleted, clockMillis.getAsLong());
    try (MergingCursor cursor =
        new MergingCursor(List.of(LiveCells.of(snapshot, deleted, readPoints.smallest())))) {
      return files.write(
          manifest::nextNumber,
          store,
          new TableOrigin(
              store.owner().at(snapshot.maxSequence(), Set.of()), readPoints.smallest()),
          cursor,
          filter,
          WriteThrottle.NONE,
          StoreFiles.Layout.ONE_TABLE);
    }
  }

  /** Records new files in the manifest, and replaces memory by them. */
  private void record(
      Store store, List<StoreFile> written, FlushSnapshot snapshot, long readPoint, LogSync logSync)
      throws IOException {
    StoreId id = store.id();
    try (ManifestChange change = recorder.begin(written)) {
      FileChange addition =
          store.change(written, Set.of(), snapshot.rangeTombstones(), readPoint, readPoint);
      List<VersionEdit> edits = addition.edits(id);
      edits.add(
          new VersionEdit.SetFlushedSequence(id.regionId(), id.familyId(), snapshot.maxSequence()));
      // After a crash, the clock must not give writes timestamps below those of the cells in the
      // table.
      edits.add(new VersionEdit.SetClockFloor(clockFloor.getAsLong()));
      logSync.await();
      Runnable install = () -> store.installFlushed(addition);
      change.commit(edits, recorder.installation(store, written, install));
    }
  }
}
