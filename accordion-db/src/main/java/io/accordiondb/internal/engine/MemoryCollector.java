// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.metrics.MemoryWork;
import io.accordiondb.memstore.MemStoreStatistics;
import io.accordiondb.memstore.SegmentStatistics;
import io.accordiondb.statistics.MemoryStatistics;
import io.accordiondb.statistics.StoreStatistics;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Sums up the statistics of memory stores, and adds what they have done. */
final class MemoryCollector {
  private final List<MemStoreStatistics> stores;

  private MemoryCollector(List<StoreStatistics> stores) {
    this.stores = stores.stream().map(StoreStatistics::memory).toList();
  }

  static MemoryStatistics collect(
      List<StoreStatistics> stores, MemoryBudget budget, ChunkPool pool, MemoryWork work) {
    return new MemoryCollector(stores).collect(budget, pool, work);
  }

  private MemoryStatistics collect(MemoryBudget budget, ChunkPool pool, MemoryWork work) {
    long held = segments().mapToLong(SegmentStatistics::heldBytes).sum();
    long index = segments().mapToLong(SegmentStatistics::indexBytes).sum();
    return new MemoryStatistics(
        budget.usedBytes(),
        budget.pressureBytes(),
        budget.limitBytes(),
        sum(MemStoreStatistics::heapBytes),
        sum(MemStoreStatistics::offHeapBytes),
        sum(store -> store.active().heldBytes()),
        sum(store -> heldBytes(store.pipeline())),
        sum(store -> heldBytes(store.snapshot())),
        index,
        held - index,
        pool.bytesFree(),
        segments().mapToLong(SegmentStatistics::cells).sum(),
        segments().mapToLong(SegmentStatistics::dataBytes).sum(),
        sum(MemStoreStatistics::pipelineSegments),
        work.inMemoryFlushes(),
        work.merges(),
        work.compactions(),
        work.aborts(),
        work.cellsEliminated(),
        work.bytesEliminated());
  }

  private Stream<SegmentStatistics> segments() {
    return stores.stream().flatMap(MemStoreStatistics::segments);
  }

  private static long heldBytes(List<SegmentStatistics> segments) {
    return segments.stream().mapToLong(SegmentStatistics::heldBytes).sum();
  }

  private long sum(ToLongFunction<MemStoreStatistics> figure) {
    return stores.stream().mapToLong(figure).sum();
  }
}
