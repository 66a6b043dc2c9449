// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.kafka.streams.internal.space.TaskStore;
import io.accordiondb.statistics.BlockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor.RecordingLevel;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;

/**
 * Publishes the figures of the shared database under the names that Kafka Streams uses for the same
 * figures of RocksDB. Each store publishes them, with the same values for all stores of the
 * process: do not add them up.
 */
final class StoreMetrics {
  private static final Map<String, ToDoubleFunction<DatabaseStatistics>> GAUGES =
      Map.ofEntries(
          Map.entry("bytes-written-total", now -> now.writes().bytes()),
          Map.entry("memtable-bytes-flushed-total", now -> now.flushes().bytesWritten()),
          Map.entry("bytes-read-compaction-total", now -> now.compactions().bytesRead()),
          Map.entry("bytes-written-compaction-total", now -> now.compactions().bytesWritten()),
          Map.entry("block-cache-data-hit-ratio", now -> now.cache().of(BlockKind.DATA).hitRatio()),
          Map.entry("block-cache-usage", now -> now.cache().usedBytes()),
          Map.entry("block-cache-capacity", now -> now.cache().budgetBytes()),
          Map.entry("cur-size-active-mem-table", now -> now.memory().activeBytes()),
          Map.entry("cur-size-all-mem-tables", now -> now.memory().usedBytes()),
          Map.entry("size-all-mem-tables", now -> now.memory().usedBytes()),
          Map.entry("num-running-flushes", now -> now.flushes().running()),
          Map.entry("num-running-compactions", now -> now.compactions().running()),
          Map.entry("estimate-pending-compaction-bytes", now -> now.compactions().debtBytes()),
          Map.entry("total-sst-files-size", now -> now.files().bytes()),
          Map.entry("live-sst-files-size", now -> now.files().bytes()),
          Map.entry(
              "background-errors", now -> now.flushes().failures() + now.compactions().failures()),
          Map.entry("accordion-eliminated-bytes-total", now -> now.memory().bytesEliminated()),
          Map.entry("accordion-memory-budget", now -> now.memory().budgetBytes()));

  private final Metrics registry;
  private final List<MetricName> names = new ArrayList<>();

  private StoreMetrics(Metrics registry) {
    this.registry = registry;
  }

  /**
   * Registers the metrics of a store, all or none. The caller must remove them when the store is
   * closed.
   */
  static StoreMetrics register(StateStoreContext context, String metricsScope, TaskStore store) {
    StreamsMetricsImpl streams = (StreamsMetricsImpl) context.metrics();
    Map<String, String> tags =
        streams.storeLevelTagMap(context.taskId().toString(), metricsScope, store.name());
    StoreMetrics metrics = new StoreMetrics(streams.metricsRegistry());
    boolean registered = false;
    try {
      GAUGES.forEach(
          (name, value) -> metrics.add(name, tags, gaugeOf(store, value::applyAsDouble)));
      registered = true;
    } finally {
      if (!registered) {
        metrics.remove();
      }
    }
    return metrics;
  }

  private static Gauge<Double> gaugeOf(
      TaskStore store, Function<DatabaseStatistics, Double> value) {
    return (config, now) -> {
      try {
        return value.apply(store.statistics());
      } catch (InvalidStateStoreException e) {
        return Double.NaN; // The store was closed while metrics were read.
      }
    };
  }

  private void add(String name, Map<String, String> tags, Gauge<Double> gauge) {
    MetricName metric =
        registry.metricName(
            name,
            StreamsMetricsImpl.STATE_STORE_LEVEL_GROUP,
            "Of the database that all stores of the process share",
            tags);
    if (registry.metric(metric) == null) {
      // Before it is added: if a reporter of metrics fails, the metric stays.
      names.add(metric);
      registry.addMetric(metric, new MetricConfig().recordLevel(RecordingLevel.INFO), gauge);
    }
  }

  void remove() {
    names.forEach(registry::removeMetric);
  }
}
