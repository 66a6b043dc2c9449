// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.memstore.MemStoreStatistics;
import java.util.concurrent.TimeUnit;

/**
 * The sums of counters and sizes over several memory stores. Immutable.
 *
 * @param stores open stores
 * @param segments sealed segments in their pipelines
 * @param cells cells in memory
 * @param heapBytes bytes of memory on the Java heap
 * @param offHeapBytes bytes of chunks outside the Java heap
 * @param inMemoryFlushes active segments sealed
 * @param merges merges of indices
 * @param compactions in-memory compactions
 * @param aborts merges and compactions that a flush overtook
 * @param cellsEliminated cells dropped by compactions
 * @param slowedWrites batches that were delayed because their region held much memory
 * @param slowedMillis total delay of these batches, in milliseconds
 * @param throttleSum sum of ADAPTIVE's t
 * @param storesMerged stores that know ADAPTIVE's u, because they have merged
 * @param uniquenessSum sum of their u
 */
record StoreFigures(
    long stores,
    long segments,
    long cells,
    long heapBytes,
    long offHeapBytes,
    long inMemoryFlushes,
    long merges,
    long compactions,
    long aborts,
    long cellsEliminated,
    long slowedWrites,
    long slowedMillis,
    double throttleSum,
    long storesMerged,
    double uniquenessSum) {
  static final StoreFigures NONE = new StoreFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  static StoreFigures of(MemStoreStatistics store, WriteBrake brake) {
    boolean hasMerged = !Double.isNaN(store.uniqueness());
    return new StoreFigures(
        1,
        store.pipelineSegments(),
        store.cells(),
        store.heapBytes(),
        store.offHeapBytes(),
        store.inMemoryFlushes(),
        store.merges(),
        store.compactions(),
        store.aborts(),
        store.cellsEliminated(),
        brake.pauses(),
        TimeUnit.NANOSECONDS.toMillis(brake.pausedNanos()),
        store.throttle(),
        hasMerged ? 1 : 0,
        hasMerged ? store.uniqueness() : 0);
  }

  /**
   * Returns the figures of the store after it is closed: its counters stay, its sizes become zero.
   */
  StoreFigures closed() {
    return new StoreFigures(
        0,
        0,
        0,
        0,
        0,
        inMemoryFlushes,
        merges,
        compactions,
        aborts,
        cellsEliminated,
        slowedWrites,
        slowedMillis,
        0,
        0,
        0);
  }

  StoreFigures plus(StoreFigures other) {
    return new StoreFigures(
        stores + other.stores,
        segments + other.segments,
        cells + other.cells,
        heapBytes + other.heapBytes,
        offHeapBytes + other.offHeapBytes,
        inMemoryFlushes + other.inMemoryFlushes,
        merges + other.merges,
        compactions + other.compactions,
        aborts + other.aborts,
        cellsEliminated + other.cellsEliminated,
        slowedWrites + other.slowedWrites,
        slowedMillis + other.slowedMillis,
        throttleSum + other.throttleSum,
        storesMerged + other.storesMerged,
        uniquenessSum + other.uniquenessSum);
  }

  /** Returns the average of ADAPTIVE's t in percent; 0 if no store is open. */
  double throttlePercent() {
    return stores == 0 ? 0 : 100 * throttleSum / stores;
  }

  /**
   * Returns the average of ADAPTIVE's u in percent over the stores that know it; 100 if none does.
   */
  double uniquenessPercent() {
    return storesMerged == 0 ? 100 : 100 * uniquenessSum / storesMerged;
  }
}
