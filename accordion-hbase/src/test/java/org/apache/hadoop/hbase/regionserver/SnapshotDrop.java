// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.lang.reflect.Method;

/** Does what a copy of a region does when the region itself has flushed; HBase keeps it hidden. */
public final class SnapshotDrop {
  private SnapshotDrop() {}

  /**
   * Takes a snapshot of a store and drops it without a file.
   *
   * @param meanwhile called while the snapshot stands
   */
  public static void drop(HRegion region, HStore store, Write meanwhile) throws IOException {
    StoreFlushContext flush =
        store.createFlushContext(region.getMaxFlushedSeqId() + 1, FlushLifeCycleTracker.DUMMY);
    flush.prepare();
    meanwhile.run();
    region.decrMemStoreSize(store.getSnapshotSize());
    flush.abort();
  }

  /**
   * Drops what a store has in memory, after it has told its size.
   *
   * @param told what the region's sizes have that the store drops
   */
  public static void drop(HRegion region, HStore store, MemStoreSize told) throws IOException {
    region.decrMemStoreSize(told);
    StoreFlushContext flush =
        store.createFlushContext(region.getMaxFlushedSeqId() + 1, FlushLifeCycleTracker.DUMMY);
    flush.prepare();
    flush.abort();
  }

  /** Drops all that a region has in memory, as HBase does when a region cannot be opened. */
  public static void dropAll(HRegion region) throws ReflectiveOperationException {
    Method drop = HRegion.class.getDeclaredMethod("dropMemStoreContents");
    drop.setAccessible(true);
    drop.invoke(region);
  }

  /** What is done while the snapshot stands. */
  public interface Write {
    /** Does it. */
    void run() throws IOException;
  }
}
