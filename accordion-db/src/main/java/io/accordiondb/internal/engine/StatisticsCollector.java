// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.internal.cache.BlockCacheStats;
import io.accordiondb.internal.maintenance.CompactionScheduler;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.statistics.AmplificationStatistics;
import io.accordiondb.statistics.CacheStatistics;
import io.accordiondb.statistics.CompactionStatistics;
import io.accordiondb.statistics.FileStatistics;
import io.accordiondb.statistics.FlushStatistics;
import io.accordiondb.statistics.LevelStatistics;
import io.accordiondb.statistics.LogStatistics;
import io.accordiondb.statistics.OperationStatistics;
import io.accordiondb.statistics.ReaderStatistics;
import io.accordiondb.statistics.StallStatistics;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import io.accordiondb.statistics.WriteStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gathers what the parts of a database know of themselves. */
final class StatisticsCollector {
  private final EngineParts parts;
  private final List<TableStatistics> tables;
  private final List<StoreStatistics> stores;

  private StatisticsCollector(EngineParts parts) {
    this.parts = parts;
    this.tables = parts.catalog().all().stream().map(StatisticsCollector::table).toList();
    this.stores = tables.stream().flatMap(table -> table.stores().stream()).toList();
  }

  static DatabaseStatistics collect(EngineParts parts) {
    return new StatisticsCollector(parts).collect();
  }

  private DatabaseStatistics collect() {
    return new DatabaseStatistics(
        0,
        new OperationStatistics(Map.of()),
        new WriteStatistics(
            0,
            parts.pipeline().cellsCommitted(),
            0,
            new StallStatistics(Map.of(), parts.control().lastReason()),
            parts.mergeFailures().count()),
        log(),
        flushes(),
        compactions(),
        MemoryCollector.collect(stores, parts.budget(), parts.pool()),
        cache(),
        files(),
        amplification(),
        new ReaderStatistics(0, 0, -1, -1, 0),
        tables);
  }

  private static TableStatistics table(TableState table) {
    List<StoreStatistics> stores = new ArrayList<>();
    for (Region region : table.regions().regions()) {
      for (Store store : region.stores()) {
        stores.add(store(table.name(), region, store));
      }
    }
    return new TableStatistics(table.name(), table.regions().regions().size(), stores);
  }

  private static StoreStatistics store(String table, Region region, Store store) {
    return new StoreStatistics(
        table,
        store.descriptor().name(),
        store.id().regionId(),
        RowText.of(region.startKey()),
        RowText.of(region.endKey()),
        store.memStore().statistics(),
        store.fileStatistics(),
        store.sortedRuns(),
        store.compactionDebtBytes(),
        store.isFlushing(),
        store.isCompactionRequested());
  }

  private LogStatistics log() {
    return new LogStatistics(
        parts.log().bytesAppended(),
        parts.log().totalBytes(),
        parts.options().get().logBytesMax(),
        0,
        0,
        0);
  }

  private FlushStatistics flushes() {
    FlushScheduler flushes = parts.flushes();
    return new FlushStatistics(
        flushes.flushes(), 0, 0, flushes.bytesFlushed(), flushes.failures(), flushes.lastFailure());
  }

  private CompactionStatistics compactions() {
    CompactionScheduler compactions = parts.compactions();
    return new CompactionStatistics(
        compactions.compactions(),
        0,
        compactions.bytesRead(),
        compactions.bytesWritten(),
        stores.stream().mapToLong(StoreStatistics::compactionDebtBytes).sum(),
        compactions.failures(),
        compactions.lastFailure());
  }

  private CacheStatistics cache() {
    BlockCacheStats stats = parts.cache().stats();
    return new CacheStatistics(stats.usedBytes(), stats.capacityBytes(), Map.of());
  }

  private FileStatistics files() {
    Map<Integer, LevelStatistics> levels = new TreeMap<>();
    for (StoreStatistics store : stores) {
      store
          .files()
          .levels()
          .forEach(level -> levels.merge(level.level(), level, LevelStatistics::plus));
    }
    return new FileStatistics(List.copyOf(levels.values()));
  }

  private AmplificationStatistics amplification() {
    long largest = parts.catalog().stores().stream().mapToLong(Store::largestRunBytes).sum();
    double space = largest == 0 ? 1 : (double) files().bytes() / largest;
    AmplificationStatistics.Period none = new AmplificationStatistics.Period(0, 0, 0, 0, 0);
    return new AmplificationStatistics(none, none, space);
  }
}
