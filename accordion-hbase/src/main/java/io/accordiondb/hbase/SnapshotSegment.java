// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.encoding.CellSource;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.ImmutableSegment;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.TimeRangeTracker;
import org.jspecify.annotations.Nullable;

/**
 * Passes the counts of a snapshot to HBase in the type that HBase expects. It holds no cells;
 * {@link StoreSnapshot} provides the scanners of a snapshot.
 */
final class SnapshotSegment extends ImmutableSegment {
  private final TimeRangeTracker timeRange;

  SnapshotSegment(
      CellComparator comparator,
      MemStoreSize size,
      @Nullable CellSource cells,
      boolean tagsPresent) {
    super(comparator);
    this.timeRange = timeRange(cells);
    this.tagsPresent = tagsPresent;
    incMemStoreSize(
        size.getDataSize(), size.getHeapSize(), size.getOffHeapSize(), size.getCellsCount());
  }

  private static TimeRangeTracker timeRange(@Nullable CellSource cells) {
    return cells == null || cells.cellCount() == 0
        ? TimeRangeTracker.create(TimeRangeTracker.Type.NON_SYNC)
        // A marker applies to all timestamps below its own.
        : TimeRangeTracker.create(
            TimeRangeTracker.Type.NON_SYNC,
            cells.deleteMarkerCount() > 0 ? 0 : cells.minTimestamp(),
            cells.maxTimestamp());
  }

  /** Returns a size. HBase's constructors of sizes are not accessible. */
  static MemStoreSize size(long dataBytes, long heapBytes, long offHeapBytes, int cells) {
    SizeCarrier carrier = new SizeCarrier();
    carrier.incMemStoreSize(dataBytes, heapBytes, offHeapBytes, cells);
    return carrier.getMemStoreSize();
  }

  @Override
  public TimeRangeTracker getTimeRangeTracker() {
    return timeRange;
  }

  @Override
  public boolean isEmpty() {
    return getCellsCount() == 0;
  }

  @Override
  public int getNumUniqueKeys() {
    return getCellsCount();
  }

  @Override
  protected boolean canBeFlattened() {
    return false;
  }

  @Override
  protected long indexEntrySize() {
    return 0;
  }

  private static final class SizeCarrier extends ImmutableSegment {
    SizeCarrier() {
      super(CellComparator.getInstance());
    }

    @Override
    protected boolean canBeFlattened() {
      return false;
    }

    @Override
    protected long indexEntrySize() {
      return 0;
    }
  }
}
