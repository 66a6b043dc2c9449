// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.memstore.FlushSnapshot;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.PipelineChange;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.UnexpectedStateException;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStore;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adapts one Accordion memory store to HBase: it takes HBase's cells, returns scanners and
 * snapshots, and reports sizes as HBase counts them.
 *
 * <p>HBase's locks order the calls: writers hold a read lock that {@link #snapshot} and {@link
 * #clearSnapshot} take exclusively, scanners are opened under a lock of the store. All other
 * methods may run at any time.
 *
 * <p>It must not refer to the {@link AccordionMemStore} that HBase knows, nor to the region, which
 * does: {@link AccordionMemStore} closes it when HBase has dropped both.
 *
 * <p>An upsert adds its cells like any write. HBase 2.6.1 does not call it, and adds what
 * increments write. The versions that an increment replaces stay until an in-memory compaction or a
 * flush drops them.
 */
final class ArenaMemStore implements MemStore {
  private static final Logger LOG = LoggerFactory.getLogger(ArenaMemStore.class);
  private static final long NO_SNAPSHOT = -1;
  private static final MemStoreSize EMPTY = SnapshotSegment.size(0, 0, 0, 0);

  private final CellComparator comparator;
  private final ServerMemory memory;
  private final RegionAccess region;
  private final io.accordiondb.memstore.MemStore store;
  private final StoreSizes sizes;
  private final WriteBrake brake;
  private final LogReporter reporter;
  private final boolean reportsFirstChunk;
  private final @Nullable RegionInfo regionInfo;

  /** Flushes that have ended and had cells. */
  private final LongAdder flushes = new LongAdder();

  /** Whether a task that will settle the sizes is scheduled and has not started. */
  private final AtomicBoolean settling = new AtomicBoolean();

  private volatile long timeOfOldestEdit = Long.MAX_VALUE;
  private volatile boolean tagsPresent;
  private volatile boolean closed;

  /** Written by one thread at a time, as HBase flushes a store. */
  private volatile long snapshotId = NO_SNAPSHOT;

  private volatile StoreSnapshot snapshot;

  /** Whether HBase has subtracted from the region's sizes what the next snapshot drops. */
  @GuardedBy("sizes")
  private boolean subtracted;

  ArenaMemStore(
      StoreSettings settings,
      Configuration configuration,
      CellComparator comparator,
      @Nullable RegionServicesForStores services) {
    this.comparator = comparator;
    this.memory = ServerMemory.of(configuration);
    this.region = new RegionAccess(services);
    this.regionInfo = services == null ? null : services.getRegionInfo();
    long regionFlushBytes =
        services == null
            ? configuration.getLong(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, 128L << 20)
            : services.getMemStoreFlushSize();
    int families = services == null ? 1 : Math.max(1, services.getNumStores());
    long flushBytes = regionFlushBytes / families;
    this.reportsFirstChunk = memory.isFirstChunkSmall(flushBytes);
    this.brake = WriteBrake.of(settings, configuration, regionFlushBytes, region::heldBytes);
    this.store =
        new io.accordiondb.memstore.MemStore(
            settings.options(flushBytes, memory.pool().chunkBytes(), memory.layout()),
            new MemStoreEnvironment(
                memory.executor(),
                EnvironmentEdgeManager::currentTime,
                region::smallestReadPoint,
                memory.random(),
                memory.pool(),
                memory.budget(),
                new Listener()),
            region::newFilter);
    this.reporter = new LogReporter(region, memory.logExecutor(), this::settleLater);
    this.sizes = new StoreSizes(services, memory.countsOffHeapApart());
    this.snapshot = emptySnapshot();
    OpenStores.add(this);
  }

  private StoreSnapshot emptySnapshot() {
    return newSnapshot(NO_SNAPSHOT, EMPTY, null);
  }

  private StoreSnapshot newSnapshot(long id, MemStoreSize size, @Nullable FlushSnapshot cells) {
    return new StoreSnapshot(
        id,
        new SnapshotSegment(comparator, size, cells, cells != null && tagsPresent),
        store,
        cells);
  }

  @Override
  public void add(Cell cell, @Nullable MemStoreSizing sizing) {
    region.noteSingleCell();
    add(List.of(cell), sizing);
  }

  @Override
  public void upsert(Iterable<Cell> cells, long readPoint, @Nullable MemStoreSizing sizing) {
    add(cells, sizing);
  }

  @Override
  public void add(Iterable<Cell> cells, @Nullable MemStoreSizing sizing) {
    CellBatch batch = CellBatch.ofThread();
    // A coprocessor may have taken all cells of the family out of a mutation.
    boolean first = timeOfOldestEdit == Long.MAX_VALUE && cells.iterator().hasNext();
    if (first) {
      // Before the cells, which may be dropped at once.
      timeOfOldestEdit = EnvironmentEdgeManager.currentTime();
    }
    try {
      batch.addTo(store, cells.iterator(), region);
    } finally {
      // Also of a batch that has failed half-way: a flush writes what it has left.
      if (batch.hasTags() && !tagsPresent) {
        tagsPresent = true;
      }
    }
    sizes.written(batch.cells(), batch.dataBytes(), sizing);
    if (first && reportsFirstChunk) {
      sizes.settleMemory(store::flushableCells);
    }
    brake.hold(batch.dataBytes());
  }

  /**
   * Takes a snapshot, or returns the one of a flush that has failed.
   *
   * @throws IllegalStateException if an earlier call has failed half-way: then nothing is flushed
   *     any more, so the log keeps all that is in memory alone
   */
  @Override
  public MemStoreSnapshot snapshot() {
    if (!snapshot.isEmpty()) {
      LOG.warn("the last flush has failed: its snapshot {} is flushed again", snapshotId);
      return snapshot;
    }
    if (store.hasSnapshot()) {
      // It lacks what was written since, which HBase would take for flushed, and delete its log.
      throw new IllegalStateException(
          this + ": an earlier snapshot has failed half-way; only a replay of the log helps");
    }
    synchronized (sizes) {
      snapshotId = EnvironmentEdgeManager.currentTime();
      if (sizes.current().getCellsCount() <= 0) {
        // No write has been reported, but one that failed half-way may have left cells.
        sizes.settle(store::flushableCells);
      }
      FlushSnapshot taken = store.snapshot();
      if (taken.cellCount() == 0 && !subtracted) {
        // All cells that were reported may be gone. HBase gets no file for them and so does not
        // clear the snapshot: with a size it would be flushed again, without any later cell.
        sizes.settle(store::flushableCells);
      }
      MemStoreSize size = sizes.current().getCellsCount() > 0 ? sizes.startAnew() : EMPTY;
      subtracted = false;
      snapshot = newSnapshot(snapshotId, size, taken);
      region.noteSnapshot();
      tagsPresent = false;
      timeOfOldestEdit = Long.MAX_VALUE;
    }
    return snapshot;
  }

  @Override
  public void clearSnapshot(long id) throws UnexpectedStateException {
    if (snapshotId == NO_SNAPSHOT) {
      return;
    }
    if (snapshotId != id) {
      throw new UnexpectedStateException("the snapshot is " + snapshotId + ", not " + id);
    }
    if (!snapshot.isEmpty()) {
      flushes.increment();
    }
    snapshot = emptySnapshot();
    snapshotId = NO_SNAPSHOT;
    store.clearSnapshot();
  }

  @Override
  public MemStoreSize getFlushableSize() {
    MemStoreSize size = snapshot.getMemStoreSize();
    if (size.getDataSize() > 0) {
      return size;
    }
    synchronized (sizes) {
      if (!region.keepsWritersOut() || closed) {
        return sizes.current();
      }
      // HBase is about to drop all cells. It subtracts what this returns, and takes the snapshot
      // then, which must settle nothing, even if the last cells expire in between.
      sizes.settle(store::flushableCells);
      MemStoreSize current = sizes.current();
      subtracted = current.getCellsCount() > 0;
      return subtracted ? current : size;
    }
  }

  @Override
  public MemStoreSize getSnapshotSize() {
    return snapshot.getMemStoreSize();
  }

  @Override
  public MemStoreSize size() {
    return sizes.current();
  }

  @Override
  public long timeOfOldestEdit() {
    return timeOfOldestEdit;
  }

  @Override
  public List<KeyValueScanner> getScanners(long readPoint) {
    SharedView view = new SharedView(store, region.family());
    try {
      return SourceScanner.ofEach(view.sources(), readPoint, view);
    } finally {
      view.release();
    }
  }

  /** Tells HBase, which is about to flush, that a flush writes all cells in memory. */
  @Override
  public long preFlushSeqIDEstimation() {
    synchronized (sizes) {
      subtracted = false;
    }
    return HConstants.NO_SEQNUM;
  }

  /** Tells HBase that it need not change the table's flush policy. */
  @Override
  public boolean isSloppy() {
    return false;
  }

  @Override
  public void startReplayingFromWAL() {
    region.setReplaying(true);
  }

  @Override
  public void stopReplayingFromWAL() {
    region.setReplaying(false);
  }

  /** Releases all memory. Idempotent. */
  @Override
  public void close() {
    synchronized (sizes) {
      if (closed) {
        return;
      }
      closed = true;
    }
    OpenStores.remove(this);
    reporter.close();
    store.close();
  }

  /** Returns the table's name; a dash for a store without a region. */
  String table() {
    return regionInfo == null ? "-" : regionInfo.getTable().getNameAsString();
  }

  /** Returns the logged reasons why nothing could be dropped in memory at times. */
  Set<String> obstaclesTold() {
    return region.obstaclesTold();
  }

  /** Returns the counters and sizes of the store. */
  StoreFigures figures() {
    return StoreFigures.of(store.statistics(), brake);
  }

  /** Returns the state of the store; null if it has no region, and before the first cell. */
  @Nullable OpenMemStore state() {
    byte[] family = region.family();
    return regionInfo == null || family == null
        ? null
        : new OpenMemStore(
            regionInfo,
            Bytes.toString(family),
            store.statistics(),
            flushes.sum(),
            brake.pauses(),
            brake.pausedNanos());
  }

  /** Requests that another thread brings sizes and log up to date soon. */
  private void requestSettling() {
    if (!settling.getAndSet(true)) {
      try {
        memory.executor().execute(this::settle);
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        // There may be no memory for a thread. The next change in memory requests it again.
        settling.set(false);
      }
    }
  }

  /** Brings sizes, and soon the log, up to date; later, if a flush is about to begin. */
  void settle() {
    settling.set(false);
    if (!region.unlessAFlushBegins(this::settleNow)) {
      settleLater();
    }
  }

  /** The flush may be one of other families, and nothing may change here for a long time. */
  private void settleLater() {
    ServerMemory.afterAPause(this::requestSettling);
  }

  /** Returns false if the sizes must wait until HBase has counted a batch. */
  private boolean settleNow() {
    synchronized (sizes) {
      if (closed) {
        return true;
      }
      long dataBytesMin = timeOfOldestEdit == Long.MAX_VALUE ? 0 : 1;
      reporter.request(region.lowestSequence(!snapshot.isEmpty(), store::oldestSequence));
      return sizes.settle(store::flushableCells, dataBytesMin, region::dataBytes);
    }
  }

  @Override
  public String toString() {
    return store.options().policy() + " holding " + sizes.current();
  }

  private final class Listener implements MemStoreListener {
    @Override
    public void onInMemoryFlush(long cells, long dataBytes, int pipelineSegments) {
      requestSettling();
    }

    @Override
    public void onFlattening(long cellsDropped, long bytesDropped) {
      if (cellsDropped > 0) {
        requestSettling();
      }
    }

    @Override
    public void onMerge(PipelineChange merge) {
      requestSettling();
    }

    @Override
    public void onCompaction(PipelineChange compaction) {
      requestSettling();
    }

    @Override
    public void onFailure(Throwable failure) {
      LOG.error("work in memory has failed; its segments stay as they were", failure);
    }
  }
}
