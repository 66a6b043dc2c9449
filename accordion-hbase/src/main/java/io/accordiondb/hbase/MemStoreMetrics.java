// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.chunk.ChunkPool;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the memory stores among HBase's metrics, as the JMX bean {@code
 * Hadoop:service=HBase,name=RegionServer,sub=AccordionMemStore}: sums under plain names, and the
 * figures of each table under the same names with the prefix {@code table_<name>_}.
 */
final class MemStoreMetrics extends BaseSourceImpl {
  /** Null while the constructor of the superclass registers the source, which reads it at once. */
  private final @Nullable ChunkPool pool;

  /** Registers the source. */
  MemStoreMetrics(ChunkPool pool) {
    super(
        "AccordionMemStore",
        "Accordion's memory stores",
        "regionserver",
        "RegionServer,sub=AccordionMemStore");
    this.pool = pool;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    for (Map.Entry<String, StoreFigures> table : OpenStores.figuresByTable().entrySet()) {
      add(record, "table_" + table.getKey() + "_", table.getValue());
    }
    add(record, "", OpenStores.figures());
    if (pool != null) {
      gauge(record, "chunksInUse", "chunks that hold cells", pool.chunksInUse());
      gauge(record, "chunksFree", "chunks that wait for reuse", pool.chunksFree());
    }
    metricsRegistry.snapshot(record, all);
  }

  private static void add(MetricsRecordBuilder record, String prefix, StoreFigures figures) {
    gauge(record, prefix + "stores", "open memory stores", figures.stores());
    gauge(record, prefix + "pipelineSegments", "sealed segments", figures.segments());
    gauge(record, prefix + "cells", "cells in memory", figures.cells());
    gauge(record, prefix + "heapBytes", "memory in the heap", figures.heapBytes());
    gauge(record, prefix + "offHeapBytes", "chunks outside the heap", figures.offHeapBytes());
    counter(record, prefix + "inMemoryFlushes", "segments sealed", figures.inMemoryFlushes());
    counter(record, prefix + "merges", "merges of indices", figures.merges());
    counter(record, prefix + "compactions", "in-memory compactions", figures.compactions());
    counter(record, prefix + "aborts", "merges overtaken by a flush", figures.aborts());
    counter(record, prefix + "cellsEliminated", "cells dropped", figures.cellsEliminated());
    counter(record, prefix + "slowedWrites", "batches held up", figures.slowedWrites());
    counter(record, prefix + "slowedMillis", "for how long", figures.slowedMillis());
    record.addGauge(Interns.info(prefix + "throttlePercent", "t"), figures.throttlePercent());
    record.addGauge(Interns.info(prefix + "uniquenessPercent", "u"), figures.uniquenessPercent());
  }

  private static void gauge(MetricsRecordBuilder record, String name, String text, long value) {
    record.addGauge(Interns.info(name, text), value);
  }

  private static void counter(MetricsRecordBuilder record, String name, String text, long value) {
    record.addCounter(Interns.info(name, text), value);
  }
}
