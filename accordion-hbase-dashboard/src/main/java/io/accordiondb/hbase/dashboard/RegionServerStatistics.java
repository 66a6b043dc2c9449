// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.dashboard;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.dashboard.StatisticsSource;
import io.accordiondb.hbase.OpenMemStore;
import io.accordiondb.statistics.AmplificationStatistics;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.CacheStatistics;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.LogStatistics;
import io.accordiondb.statistics.OperationStatistics;
import io.accordiondb.statistics.ReaderStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServer;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Presents the figures of a region server in the form of database statistics: its Accordion memory
 * stores, and HBase's counts of their files, its log and its block cache. Figures that HBase does
 * not count, such as single operations and bytes appended to the log, stay empty.
 *
 * <p>Counters are sums over the stores that are open, so they fall when a region leaves the server.
 * Thread-safe.
 */
final class RegionServerStatistics implements StatisticsSource {
  private final RegionServerServices server;
  private final long configuredLimitBytes;
  private final long startedNanos = System.nanoTime();

  RegionServerStatistics(RegionServerServices server, Configuration configuration) {
    this.server = server;
    this.configuredLimitBytes = MemorySizeUtil.getGlobalMemStoreSize(configuration).getFirst();
  }

  @Override
  public DatabaseStatistics statistics() {
    ServedStores stores = new ServedStores(served());
    long nanosOpen = System.nanoTime() - startedNanos;
    AmplificationStatistics.Period unknown =
        new AmplificationStatistics.Period(nanosOpen, 0, 0, 0, 0);
    return new DatabaseStatistics(
        nanosOpen,
        HealthStatistics.GOOD,
        new OperationStatistics(Map.of()),
        stores.writes(),
        log(),
        stores.flushes(),
        stores.compactions(),
        stores.memory(memoryLimitBytes()),
        cache(),
        stores.files(),
        new AmplificationStatistics(unknown, unknown, 1),
        new ReaderStatistics(0, 0, -1, -1, 0),
        stores.tables());
  }

  /** Returns the stores of regions that this server serves: a process may have several servers. */
  private List<ServedStores.ServedStore> served() {
    List<ServedStores.ServedStore> served = new ArrayList<>();
    for (OpenMemStore memory : OpenMemStore.all()) {
      if (server.getRegion(memory.region().getEncodedName()) instanceof HRegion region) {
        HStore files = region.getStore(Bytes.toBytes(memory.family()));
        if (files != null) {
          served.add(new ServedStores.ServedStore(memory, region, files));
        }
      }
    }
    return served;
  }

  /** Returns the limit of all memory stores, which HBase may tune. */
  private long memoryLimitBytes() {
    MetricsRegionServer metrics = server.getMetrics();
    return metrics == null
        ? configuredLimitBytes
        : metrics.getRegionServerWrapper().getMemStoreLimit();
  }

  /** Returns what HBase knows of its log, which it looks at every few seconds. */
  private LogStatistics log() {
    MetricsRegionServer metrics = server.getMetrics();
    // A server that has not yet reported to the master has no metrics.
    return metrics == null
        ? new LogStatistics(0, 0, 0, 0, 0, 0, 0, 0, -1)
        : new LogStatistics(
            0,
            metrics.getRegionServerWrapper().getWALFileSize(),
            0,
            (int) metrics.getRegionServerWrapper().getNumWALFiles(),
            0,
            0,
            0,
            0,
            -1);
  }

  private CacheStatistics cache() {
    BlockCache cache = server.getBlockCache().orElse(null);
    if (cache == null) {
      return new CacheStatistics(0, 0, Map.of());
    }
    CacheStats stats = cache.getStats();
    return new CacheStatistics(
        cache.getCurrentSize(),
        cache.getMaxSize(),
        Map.of(
            BlockKind.DATA,
            new CacheStatistics.Lookups(stats.getDataHitCount(), stats.getDataMissCount()),
            BlockKind.INDEX,
            new CacheStatistics.Lookups(
                stats.getRootIndexHitCount()
                    + stats.getIntermediateIndexHitCount()
                    + stats.getLeafIndexHitCount(),
                stats.getRootIndexMissCount()
                    + stats.getIntermediateIndexMissCount()
                    + stats.getLeafIndexMissCount()),
            BlockKind.FILTER,
            new CacheStatistics.Lookups(
                stats.getBloomChunkHitCount()
                    + stats.getGeneralBloomMetaHitCount()
                    + stats.getDeleteFamilyBloomHitCount(),
                stats.getBloomChunkMissCount()
                    + stats.getGeneralBloomMetaMissCount()
                    + stats.getDeleteFamilyBloomMissCount())));
  }
}
