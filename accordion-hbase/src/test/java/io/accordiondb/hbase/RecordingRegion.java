// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.MemStoreSize;
import org.apache.hadoop.hbase.regionserver.MemStoreSizing;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;

/** A region's services that keep what is reported to them, as the region's own counters would. */
final class RecordingRegion extends RegionServicesForStores implements MemStoreSizing {
  private final AtomicLong dataBytes = new AtomicLong();
  private final AtomicLong heapBytes = new AtomicLong();
  private final AtomicLong offHeapBytes = new AtomicLong();
  private final AtomicLong cells = new AtomicLong();
  private final AtomicInteger reports = new AtomicInteger();
  private final RegionInfo info;
  private final long flushBytes;
  private final int families;
  private volatile boolean fails;

  RecordingRegion(TableName table, long flushBytes) {
    this(table, flushBytes, 1);
  }

  RecordingRegion(TableName table, long flushBytes, int families) {
    super(null, null);
    this.info = RegionInfoBuilder.newBuilder(table).build();
    this.flushBytes = flushBytes;
    this.families = families;
  }

  /** Fails the next report of a store, as if there were no memory. */
  void failOnce() {
    fails = true;
  }

  @Override
  public void addMemStoreSize(long data, long heap, long offHeap, int count) {
    if (fails) {
      fails = false;
      throw new OutOfMemoryError("failed on demand");
    }
    incMemStoreSize(data, heap, offHeap, count);
    reports.incrementAndGet();
  }

  /** Returns how often a store has reported sizes by itself. */
  int reports() {
    return reports.get();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return info;
  }

  @Override
  public long getMemStoreFlushSize() {
    return flushBytes;
  }

  @Override
  public int getNumStores() {
    return families;
  }

  @Override
  public long incMemStoreSize(long data, long heap, long offHeap, int count) {
    heapBytes.addAndGet(heap);
    offHeapBytes.addAndGet(offHeap);
    cells.addAndGet(count);
    return dataBytes.addAndGet(data);
  }

  @Override
  public boolean compareAndSetDataSize(long expected, long updated) {
    return dataBytes.compareAndSet(expected, updated);
  }

  @Override
  public long getDataSize() {
    return dataBytes.get();
  }

  @Override
  public long getHeapSize() {
    return heapBytes.get();
  }

  @Override
  public long getOffHeapSize() {
    return offHeapBytes.get();
  }

  @Override
  public int getCellsCount() {
    return (int) cells.get();
  }

  @Override
  public MemStoreSize getMemStoreSize() {
    return SnapshotSegment.size(getDataSize(), getHeapSize(), getOffHeapSize(), getCellsCount());
  }
}
