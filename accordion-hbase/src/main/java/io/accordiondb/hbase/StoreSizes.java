// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.memstore.FlushableCells;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.regionserver.MutableSegment;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the four sizes that HBase tracks for a store: cells, data, heap and memory off the
 * heap.
 *
 * <p>After a flush, HBase subtracts the sizes of the snapshot from those of the region, so the
 * sizes of the snapshot must be exactly the sum of all reports for it. Writers report an estimate
 * with each batch. After each change of the pipeline {@link #settle} reports the difference between
 * the estimates and the memory actually held. Thread-safe.
 */
final class StoreSizes {
  private static final Logger LOG = LoggerFactory.getLogger(StoreSizes.class);

  /** The size that an empty store reports, as HBase's own store does. */
  static final long EMPTY_HEAP_BYTES = MutableSegment.DEEP_OVERHEAD;

  /**
   * The bytes of heap that a cell uses in a skip list: two ints as a further version of its column,
   * 6.33 as the first, and some unused room.
   */
  private static final int NODE_BYTES = 20;

  /**
   * The bytes that a cell uses in a chunk beyond its content: the sequence number and alignment.
   */
  private static final int RECORD_BYTES = 10;

  /** Weak, as in {@link RegionAccess}. */
  private final @Nullable WeakReference<RegionServicesForStores> regionReference;

  private final boolean countsOffHeapApart;
  private final LongAdder cellsWritten = new LongAdder();
  private final LongAdder dataBytesWritten = new LongAdder();

  /** The sums that were reported since the last snapshot, except by writers. */
  @GuardedBy("this")
  private long cellsSettled;

  @GuardedBy("this")
  private long dataBytesSettled;

  @GuardedBy("this")
  private long heapBytesSettled;

  @GuardedBy("this")
  private long offHeapBytesSettled;

  StoreSizes(@Nullable RegionServicesForStores region, boolean countsOffHeapApart) {
    this.regionReference = region == null ? null : new WeakReference<>(region);
    this.countsOffHeapApart = countsOffHeapApart;
    synchronized (this) {
      report(0, 0, EMPTY_HEAP_BYTES, 0);
    }
  }

  /**
   * Counts the cells that a writer has added, and adds them to the sizes that the writer reports.
   */
  void written(int cells, long dataBytes, @Nullable MemStoreSizing sizing) {
    cellsWritten.add(cells);
    dataBytesWritten.add(dataBytes);
    if (sizing != null) {
      sizing.incMemStoreSize(
          dataBytes, heapBytes(cells, dataBytes), offHeapBytes(cells, dataBytes), cells);
    }
  }

  private long heapBytes(long cells, long dataBytes) {
    return cells * NODE_BYTES + (countsOffHeapApart ? 0 : dataBytes + cells * RECORD_BYTES);
  }

  private long offHeapBytes(long cells, long dataBytes) {
    return countsOffHeapApart ? dataBytes + cells * RECORD_BYTES : 0;
  }

  /**
   * Reports the difference between what the store holds and what has been reported.
   *
   * @param counts counts what the store holds. It is called after the sums of the writers were
   *     read, because a batch in those sums alone would count as dropped: HBase neither flushes nor
   *     saves a region whose size is 0
   */
  synchronized void settle(Supplier<FlushableCells> counts) {
    settle(counts, 0, () -> Long.MAX_VALUE);
  }

  /**
   * Reports the difference, as {@link #settle(Supplier)} does, or nothing yet. Returns whether it
   * was reported.
   *
   * <p>HBase adds what writers report to the sizes of the region when all rows of their batch are
   * in memory. If some of them are dropped before, subtracting them would make the region's size
   * negative, which HBase logs as an error.
   *
   * @param dataBytesMin the least data that is reported: 1 while HBase must still flush the store,
   *     because its log has what was written and is gone. It flushes no region whose size is 0
   * @param regionDataBytes supplies the data that HBase counts for the region
   */
  synchronized boolean settle(
      Supplier<FlushableCells> counts, long dataBytesMin, LongSupplier regionDataBytes) {
    long cells = cellsWritten.sum();
    long dataBytes = dataBytesWritten.sum();
    FlushableCells held = counts.get();
    long dataBytesGrown = Math.max(dataBytesMin, held.dataBytes()) - dataBytes - dataBytesSettled;
    if (dataBytesGrown < 0 && dataBytesGrown + regionDataBytes.getAsLong() < 0) {
      return false;
    }
    report(held.cells() - cells - cellsSettled, dataBytesGrown, held, cells, dataBytes);
    return true;
  }

  /**
   * Reports the difference in memory alone: no cell was dropped. A writer may call it, as part of
   * what it reports.
   */
  synchronized void settleMemory(Supplier<FlushableCells> counts) {
    long cells = cellsWritten.sum();
    long dataBytes = dataBytesWritten.sum();
    try {
      report(0, 0, counts.get(), cells, dataBytes);
    } catch (OutOfMemoryError e) {
      // The writer's cells are in memory, and HBase must count them. The next settling reports
      // this.
      LOG.debug("no memory to report the memory of a first cell", e);
    }
  }

  /** Reports cells and data, and the memory held beyond what was reported for the cells written. */
  @GuardedBy("this")
  private void report(
      long cellsGrown, long dataBytesGrown, FlushableCells held, long cells, long dataBytes) {
    // A writer may add between the two counts.
    long onHeap =
        countsOffHeapApart ? Math.min(held.heapBytes(), held.heldBytes()) : held.heldBytes();
    long heapBytes = EMPTY_HEAP_BYTES + onHeap;
    long offHeapBytes = held.heldBytes() - onHeap;
    report(
        cellsGrown,
        dataBytesGrown,
        heapBytes - heapBytes(cells, dataBytes) - heapBytesSettled,
        offHeapBytes - offHeapBytes(cells, dataBytes) - offHeapBytesSettled);
  }

  @GuardedBy("this")
  private void report(long cells, long dataBytes, long heapBytes, long offHeapBytes) {
    RegionServicesForStores region = regionReference == null ? null : regionReference.get();
    if (region != null && (cells | dataBytes | heapBytes | offHeapBytes) != 0) {
      region.addMemStoreSize(dataBytes, heapBytes, offHeapBytes, Math.toIntExact(cells));
    }
    // Not before: what the region has not counted is not settled.
    cellsSettled += cells;
    dataBytesSettled += dataBytes;
    heapBytesSettled += heapBytes;
    offHeapBytesSettled += offHeapBytes;
  }

  /** Returns the reported sizes. */
  synchronized MemStoreSize current() {
    long cells = cellsWritten.sum();
    long dataBytes = dataBytesWritten.sum();
    return SnapshotSegment.size(
        dataBytes + dataBytesSettled,
        heapBytes(cells, dataBytes) + heapBytesSettled,
        offHeapBytes(cells, dataBytes) + offHeapBytesSettled,
        Math.toIntExact(cells + cellsSettled));
  }

  /**
   * Starts again with an empty store. Returns the reported sizes, which now belong to a snapshot.
   * No writer may be active.
   *
   * <p>It does not settle the account before. When HBase drops a store's cells without a file, it
   * subtracts what {@link #current} has returned before it takes the snapshot, and a report in
   * between would stay in the region's sizes.
   */
  synchronized MemStoreSize startAnew() {
    MemStoreSize snapshot = current();
    cellsWritten.reset();
    dataBytesWritten.reset();
    cellsSettled = 0;
    dataBytesSettled = 0;
    heapBytesSettled = 0;
    offHeapBytesSettled = 0;
    report(0, 0, EMPTY_HEAP_BYTES, 0);
    return snapshot;
  }
}
