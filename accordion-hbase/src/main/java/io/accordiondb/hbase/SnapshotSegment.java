// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.cell.CellSource;
import java.util.List;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.regionserver.ImmutableSegment;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.TimeRangeTracker;

/**
 * Carries the counts of a snapshot in the type that HBase takes them from. It holds no cells; the
 * scanners of a snapshot are {@link StoreSnapshot}'s.
 */
final class SnapshotSegment extends ImmutableSegment {
  private final TimeRangeTracker timeRange;

  SnapshotSegment(
      CellComparator comparator,
      MemStoreSize size,
      List<? extends CellSource> sources,
      boolean tagsPresent) {
    super(comparator);
    this.timeRange = timeRange(sources);
    this.tagsPresent = tagsPresent;
    incMemStoreSize(
        size.getDataSize(), size.getHeapSize(), size.getOffHeapSize(), size.getCellsCount());
  }

  private static TimeRangeTracker timeRange(List<? extends CellSource> sources) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (CellSource source : sources) {
      // A marker speaks for all timestamps below its own.
      min = Math.min(min, source.deleteMarkerCount() > 0 ? 0 : source.minTimestamp());
      max = Math.max(max, source.maxTimestamp());
    }
    return sources.isEmpty()
        ? TimeRangeTracker.create(TimeRangeTracker.Type.NON_SYNC)
        : TimeRangeTracker.create(TimeRangeTracker.Type.NON_SYNC, min, max);
  }

  /** Returns a size, whose constructors HBase keeps to itself. */
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
