// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.PipelineChange;
import io.accordiondb.statistics.OperationKind;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what all memory stores of a database do, also those of regions and tables that no longer
 * exist. Thread-safe.
 */
public final class MemoryWork implements MemStoreListener {
  private final Operations operations;
  private final BackgroundErrors errors;
  private final LongAdder inMemoryFlushes = new LongAdder();
  private final LongAdder merges = new LongAdder();
  private final LongAdder compactions = new LongAdder();
  private final LongAdder aborts = new LongAdder();
  private final LongAdder cellsEliminated = new LongAdder();
  private final LongAdder bytesEliminated = new LongAdder();

  MemoryWork(Operations operations, BackgroundErrors errors) {
    this.operations = operations;
    this.errors = errors;
  }

  @Override
  public void onInMemoryFlush(long cells, long dataBytes, int pipelineSegments) {
    inMemoryFlushes.increment();
  }

  @Override
  public void onFlattening(long cellsEliminated, long bytesEliminated) {
    this.cellsEliminated.add(cellsEliminated);
    this.bytesEliminated.add(bytesEliminated);
  }

  @Override
  public void onMerge(PipelineChange merge) {
    merges.increment();
    operations.record(OperationKind.IN_MEMORY_MERGE, merge.nanos());
  }

  @Override
  public void onCompaction(PipelineChange compaction) {
    compactions.increment();
    cellsEliminated.add(compaction.cellsRead() - compaction.cellsKept());
    bytesEliminated.add(compaction.bytesRead() - compaction.bytesKept());
    operations.record(OperationKind.IN_MEMORY_COMPACTION, compaction.nanos());
  }

  @Override
  public void onAbort() {
    aborts.increment();
  }

  @Override
  public void onFailure(Throwable failure) {
    errors.report("work in memory failed; segments stay as they were", failure);
  }

  /** Returns how many active segments were sealed. */
  public long inMemoryFlushes() {
    return inMemoryFlushes.sum();
  }

  public long merges() {
    return merges.sum();
  }

  public long compactions() {
    return compactions.sum();
  }

  /** Returns how many flattenings, merges and compactions were given up. */
  public long aborts() {
    return aborts.sum();
  }

  public long cellsEliminated() {
    return cellsEliminated.sum();
  }

  public long bytesEliminated() {
    return bytesEliminated.sum();
  }
}
