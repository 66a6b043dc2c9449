// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.cache.BlockCacheStats;
import io.accordiondb.internal.maintenance.CompactionScheduler;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.maintenance.WriteControl;
import io.accordiondb.internal.region.Store;
import io.accordiondb.memstore.MemStoreStatistics;
import java.util.List;

/** Gathers what the parts of a database know of themselves. */
final class StatisticsCollector {
  private StatisticsCollector() {}

  static DatabaseStatistics collect(EngineParts parts) {
    List<Store> stores = parts.catalog().stores();
    FlushScheduler flushes = parts.flushes();
    CompactionScheduler compactions = parts.compactions();
    WriteControl control = parts.control();
    BlockCacheStats cacheStats = parts.cache().stats();
    return new DatabaseStatistics(
        parts.pipeline().cellsCommitted(),
        parts.log().bytesAppended(),
        parts.log().totalBytes(),
        flushes.flushes(),
        flushes.bytesFlushed(),
        flushes.failures(),
        flushes.lastFailure(),
        compactions.compactions(),
        compactions.bytesRead(),
        compactions.bytesWritten(),
        compactions.failures(),
        compactions.lastFailure(),
        memory(stores, parts.budget()),
        stores.stream().mapToLong(Store::fileCount).sum(),
        stores.stream().mapToLong(Store::fileBytes).sum(),
        cacheStats.hits(),
        cacheStats.misses(),
        cacheStats.usedBytes(),
        cacheStats.capacityBytes(),
        control.stalls(),
        control.stallNanos(),
        control.lastReason(),
        parts.functions().merges().failures().count(),
        parts.functions().filters().failures().count());
  }

  private static DatabaseStatistics.Memory memory(List<Store> stores, MemoryBudget budget) {
    long cells = 0;
    long pipelineSegments = 0;
    long inMemoryFlushes = 0;
    long merges = 0;
    long compactions = 0;
    long cellsEliminated = 0;
    for (Store store : stores) {
      MemStoreStatistics memory = store.memStore().statistics();
      cells += memory.cells();
      pipelineSegments += memory.pipelineSegments();
      inMemoryFlushes += memory.inMemoryFlushes();
      merges += memory.merges();
      compactions += memory.compactions();
      cellsEliminated += memory.cellsEliminated();
    }
    return new DatabaseStatistics.Memory(
        budget.usedBytes(),
        budget.limitBytes(),
        cells,
        pipelineSegments,
        inMemoryFlushes,
        merges,
        compactions,
        cellsEliminated);
  }
}
