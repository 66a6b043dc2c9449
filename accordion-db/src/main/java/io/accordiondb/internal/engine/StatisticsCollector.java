// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.internal.cache.BlockCacheStats;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.failure.FirstFailure;
import io.accordiondb.internal.maintenance.CompactionScheduler;
import io.accordiondb.internal.maintenance.FlushScheduler;
import io.accordiondb.internal.metrics.PrintableBytes;
import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.statistics.AmplificationStatistics;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.CacheStatistics;
import io.accordiondb.statistics.CompactionStatistics;
import io.accordiondb.statistics.FileStatistics;
import io.accordiondb.statistics.FlushStatistics;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.LevelStatistics;
import io.accordiondb.statistics.LogStatistics;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.OperationStatistics;
import io.accordiondb.statistics.ReaderStatistics;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import io.accordiondb.statistics.WriteState;
import io.accordiondb.statistics.WriteStatistics;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Collects the statistics of all parts of a database. Used once. */
final class StatisticsCollector {
  private static final List<OperationKind> ROWS_READ =
      List.of(
          OperationKind.GET_MEMORY,
          OperationKind.GET_CACHE,
          OperationKind.GET_FILE,
          OperationKind.SCAN_NEXT);

  private final EngineParts parts;
  private final Supplier<List<ReadPoints>> readPoints;
  private final Tallies tallies;
  private final AmplificationWindow window;

  StatisticsCollector(
      EngineParts parts, Supplier<List<ReadPoints>> readPoints, AmplificationWindow window) {
    this.parts = parts;
    this.readPoints = readPoints;
    this.tallies = parts.telemetry().tallies();
    this.window = window;
  }

  DatabaseStatistics collect() {
    List<TableStatistics> tables =
        parts.catalog().all().stream().map(StatisticsCollector::table).toList();
    List<StoreStatistics> stores = tables.stream().flatMap(t -> t.stores().stream()).toList();
    FileStatistics files = files(stores);
    OperationStatistics operations = parts.telemetry().operations().statistics();
    return new DatabaseStatistics(
        parts.telemetry().nanosOpen(),
        health(),
        operations,
        writes(),
        log(),
        flushes(),
        compactions(stores),
        MemoryCollector.collect(
            stores, parts.budget(), parts.pool(), parts.telemetry().memoryWork()),
        cache(),
        files,
        amplification(files),
        readers(),
        tables);
  }

  private HealthStatistics health() {
    Telemetry telemetry = parts.telemetry();
    Throwable failure = parts.failure().first();
    WriteState writes =
        failure == null
            ? WriteState.OK
            : FirstFailure.passes(failure) ? WriteState.SUSPENDED : WriteState.FAILED;
    return new HealthStatistics(
        writes,
        failure == null ? null : failure.toString(),
        telemetry.errors().count(),
        telemetry.errors().last(),
        telemetry.corruptions().count());
  }

  private WriteStatistics writes() {
    return new WriteStatistics(
        tallies.batches(),
        tallies.cells(),
        tallies.bytes(),
        parts.telemetry().stalls().statistics(parts.control().lastReason()),
        parts.functions().merges().failures().count(),
        parts.functions().filters().failures().count());
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
        PrintableBytes.of(region.startKey()),
        PrintableBytes.of(region.endKey()),
        store.memStore().statistics(),
        store.fileStatistics(),
        store.sortedRuns(),
        store.compactionDebtBytes(),
        store.isFlushing(),
        store.isCompactionRequested());
  }

  private LogStatistics log() {
    KeptLogs.Amount kept = parts.truncation().kept();
    return new LogStatistics(
        parts.log().bytesAppended(),
        parts.log().totalBytes(),
        parts.options().get().logBytesMax(),
        parts.log().fileCount(),
        parts.truncation().oldestNeeded(),
        parts.visibility().visible(),
        kept.files(),
        kept.bytes(),
        kept.oldestSequence());
  }

  private FlushStatistics flushes() {
    FlushScheduler flushes = parts.flushes();
    return new FlushStatistics(
        flushes.flushes(),
        flushes.running(),
        flushes.cellsFlushed(),
        flushes.bytesFlushed(),
        flushes.failures(),
        flushes.lastFailure());
  }

  private CompactionStatistics compactions(List<StoreStatistics> stores) {
    CompactionScheduler compactions = parts.compactions();
    return new CompactionStatistics(
        compactions.compactions(),
        compactions.running(),
        compactions.bytesRead(),
        compactions.bytesWritten(),
        stores.stream().mapToLong(StoreStatistics::compactionDebtBytes).sum(),
        compactions.failures(),
        compactions.lastFailure());
  }

  CacheStatistics cache() {
    BlockCacheStats stats = parts.cache().stats();
    Map<BlockKind, CacheStatistics.Lookups> byKind = new EnumMap<>(BlockKind.class);
    for (BlockKind kind : BlockKind.values()) {
      byKind.put(kind, new CacheStatistics.Lookups(tallies.hits(kind), tallies.misses(kind)));
    }
    return new CacheStatistics(stats.usedBytes(), stats.capacityBytes(), byKind);
  }

  private static FileStatistics files(List<StoreStatistics> stores) {
    Map<Integer, LevelStatistics> levels = new TreeMap<>();
    long largestRuns = 0;
    for (StoreStatistics store : stores) {
      largestRuns += store.files().largestRunBytes();
      for (LevelStatistics level : store.files().levels()) {
        levels.merge(level.level(), level, LevelStatistics::plus);
      }
    }
    return new FileStatistics(List.copyOf(levels.values()), largestRuns);
  }

  private AmplificationStatistics amplification(FileStatistics files) {
    AmplificationStatistics.Period sinceOpening = sinceOpening();
    double space =
        files.largestRunBytes() == 0 ? 1 : (double) files.bytes() / files.largestRunBytes();
    return new AmplificationStatistics(sinceOpening, window.lastMinute(sinceOpening), space);
  }

  /** Records how much has been written and read so far, for the figures of the last minute. */
  void look() {
    window.add(sinceOpening());
  }

  private AmplificationStatistics.Period sinceOpening() {
    long rows = 0;
    for (OperationKind kind : ROWS_READ) {
      rows += tallies.count(kind);
    }
    return new AmplificationStatistics.Period(
        parts.telemetry().nanosOpen(),
        tallies.bytes(),
        parts.log().bytesAppended()
            + parts.flushes().bytesFlushed()
            + parts.compactions().bytesWritten(),
        rows,
        tallies.blockHits() + tallies.blockMisses());
  }

  private ReaderStatistics readers() {
    ReadPoints.Held held = ReadPoints.Held.of(readPoints.get(), System.nanoTime());
    return new ReaderStatistics(
        held.readPoints(),
        held.snapshots(),
        held.oldestSequence(),
        held.oldestSequence() < 0 ? -1 : held.oldestNanos(),
        parts.telemetry().leaks().leaked());
  }
}
