// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.hbase.client.catalog.Catalog;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionStatesCount;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * HBase's figures of a cluster, its servers and its regions, as far as one process has them. The
 * others are zero or empty. Thread-safe.
 */
final class ClusterFigures {
  private final Catalog catalog;
  private final Compactions compactions;
  private final ServerName server;
  private final String clusterId;

  ClusterFigures(Catalog catalog, Compactions compactions, ServerName server, String clusterId) {
    this.clusterId = clusterId;
    this.catalog = catalog;
    this.compactions = compactions;
    this.server = server;
  }

  ServerName server() {
    return server;
  }

  ClusterMetrics cluster(EnumSet<Option> wanted) throws IOException {
    EnumSet<Option> options = wanted.isEmpty() ? EnumSet.allOf(Option.class) : wanted;
    ClusterMetricsBuilder builder = ClusterMetricsBuilder.newBuilder();
    if (options.contains(Option.HBASE_VERSION)) {
      builder.setHBaseVersion(VersionInfo.getVersion());
    }
    if (options.contains(Option.CLUSTER_ID)) {
      builder.setClusterId(clusterId);
    }
    if (options.contains(Option.MASTER)) {
      builder.setMasterName(server);
    }
    if (options.contains(Option.SERVERS_NAME)) {
      builder.setServerNames(List.of(server));
    }
    if (options.contains(Option.BALANCER_ON)) {
      builder.setBalancerOn(false);
    }
    if (options.contains(Option.LIVE_SERVERS)) {
      builder.setLiveServerMetrics(Map.of(server, serverMetrics()));
    }
    if (options.contains(Option.TABLE_TO_REGIONS_COUNT)) {
      builder.setTableRegionStatesCount(regionCounts());
    }
    return builder.build();
  }

  private Map<TableName, RegionStatesCount> regionCounts() throws IOException {
    Map<TableName, RegionStatesCount> counts = new HashMap<>();
    for (CatalogTable table : catalog.tables()) {
      int regions = catalog.regions(table.name()).size();
      counts.put(
          table.name(),
          new RegionStatesCount.RegionStatesCountBuilder()
              .setOpenRegions(table.enabled() ? regions : 0)
              .setClosedRegions(table.enabled() ? 0 : regions)
              .setTotalRegions(regions)
              .build());
    }
    return counts;
  }

  private ServerMetrics serverMetrics() throws IOException {
    Runtime runtime = Runtime.getRuntime();
    long now = System.currentTimeMillis();
    return ServerMetricsBuilder.newBuilder(server)
        .setVersion(VersionInfo.getVersion())
        .setRequestCount(requests(catalog.database().statistics()))
        .setUsedHeapSize(bytes(runtime.totalMemory() - runtime.freeMemory()))
        .setMaxHeapSize(bytes(runtime.maxMemory()))
        .setRegionMetrics(regions(null))
        .setLastReportTimestamp(server.getStartcode())
        .setReportTimestamp(now)
        .build();
  }

  private static long requests(DatabaseStatistics statistics) {
    return statistics.operations().byKind().entrySet().stream()
        .filter(entry -> entry.getKey().isForeground())
        .mapToLong(entry -> entry.getValue().count())
        .sum();
  }

  /** Returns the figures of the regions of a table, or of all tables. */
  List<RegionMetrics> regions(@Nullable TableName only) throws IOException {
    Map<Long, List<StoreStatistics>> stores = new HashMap<>();
    for (TableStatistics table : catalog.database().statistics().tables()) {
      for (StoreStatistics store : table.stores()) {
        stores.computeIfAbsent(store.region(), any -> new ArrayList<>()).add(store);
      }
    }
    List<RegionMetrics> metrics = new ArrayList<>();
    for (CatalogTable table : only == null ? catalog.tables() : List.of(catalog.get(only))) {
      CompactionState state = compactions.state(table.name());
      for (RegionInfo region : catalog.regions(table.name())) {
        List<StoreStatistics> own = stores.getOrDefault(region.getRegionId(), List.of());
        metrics.add(metricsOf(region, own, state));
      }
    }
    return metrics;
  }

  private RegionMetrics metricsOf(
      RegionInfo region, List<StoreStatistics> stores, CompactionState state) {
    long fileBytes = stores.stream().mapToLong(store -> store.files().bytes()).sum();
    long memoryBytes = stores.stream().mapToLong(store -> store.memory().usedBytes()).sum();
    long files = stores.stream().mapToLong(store -> store.files().count()).sum();
    return RegionMetricsBuilder.newBuilder(region.getRegionName())
        .setStoreCount(stores.size())
        .setStoreFileCount(Math.toIntExact(files))
        .setStoreFileSize(bytes(fileBytes))
        .setMemStoreSize(bytes(memoryBytes))
        .setRegionSizeMB(bytes(fileBytes))
        .setDataLocality(1)
        .setStoreSequenceIds(new TreeMap<>(Bytes.BYTES_COMPARATOR))
        .setLastMajorCompactionTimestamp(compactions.lastMajorMillis(region.getTable()))
        .setCompactionState(state)
        .build();
  }

  private static Size bytes(long count) {
    return new Size(count, Size.Unit.BYTE);
  }
}
