// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A memory store whose background work is done at once, on the thread of the test, and which lists
 * what it does.
 */
abstract class PolicyFixture implements MemStoreListener {
  final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
  final List<String> events = new ArrayList<>();
  MemoryBudget budget = new MemoryBudget(1 << 28);
  Executor executor = Runnable::run;
  DoubleSupplier draw = () -> 0;
  LongSupplier smallestReadPoint = () -> Long.MAX_VALUE;
  final List<Long> eliminatedAtMerge = new ArrayList<>();
  MemStore store;
  int snapshots;
  private long lastSequence;

  @Override
  public void onInMemoryFlush(long cells, long dataBytes, int pipelineSegments) {
    events.add("flushed " + cells);
  }

  @Override
  public void onMerge(PipelineChange merge) {
    assertThat(merge.cellsKept()).isEqualTo(merge.cellsRead());
    assertThat(merge.bytesKept()).isEqualTo(merge.bytesRead());
    eliminatedAtMerge.add(store.statistics().cellsEliminated());
    events.add(
        "merged "
            + merge.segments()
            + " segments, "
            + merge.cellsRead()
            + " cells, u "
            + merge.uniqueness());
  }

  @Override
  public void onCompaction(PipelineChange compaction) {
    assertThat(compaction.nanos()).isPositive();
    events.add(
        "compacted "
            + compaction.segments()
            + " segments, "
            + compaction.cellsRead()
            + " to "
            + compaction.cellsKept());
  }

  @Override
  public void onSnapshot(int segments, long cells, long dataBytes) {
    snapshots++;
  }

  @Override
  public void onAbort() {
    events.add("aborted");
  }

  @Override
  public void onFailure(Throwable failure) {
    events.add("failed: " + failure.getMessage());
  }

  static MemStorePolicy adaptive(int segments) {
    return MemStorePolicy.of(Policy.ADAPTIVE)
        .withPipelineSegmentsMax(segments)
        .withRedundancyThreshold(0.4);
  }

  void open(Policy policy) {
    open(MemStorePolicy.of(policy));
  }

  void open(MemStorePolicy policy) {
    open(policy, 1 << 20);
  }

  void open(CompactionRules rules) {
    open(MemStorePolicy.of(Policy.EAGER), 1 << 20, rules);
  }

  void open(MemStorePolicy policy, long flushBytes) {
    open(policy, flushBytes, null);
  }

  private void open(MemStorePolicy policy, long flushBytes, @Nullable CompactionRules rules) {
    RandomGenerator random =
        new RandomGenerator() {
          @Override
          public long nextLong() {
            throw new UnsupportedOperationException();
          }

          @Override
          public double nextDouble() {
            return draw.getAsDouble();
          }
        };
    store =
        new MemStore(
            new MemStoreOptions(policy, VersionRules.DEFAULT, flushBytes),
            new MemStoreEnvironment(
                task -> executor.execute(task),
                () -> 0,
                () -> smallestReadPoint.getAsLong(),
                random,
                pool,
                budget,
                this),
            rules);
  }

  void setPolicy(MemStorePolicy policy) {
    store.setOptions(new MemStoreOptions(policy, VersionRules.DEFAULT, 1 << 20));
  }

  /** Adds one cell to each of some rows. */
  void addRows(int first, int count) {
    List<ModelCell> cells = new ArrayList<>();
    for (int row = first; row < first + count; row++) {
      lastSequence++;
      cells.add(ModelCell.put(String.format("row%04d", row), "q", lastSequence, lastSequence, "v"));
    }
    store.add(ModelCell.encode(cells), 0, count, lastSequence - count + 1);
  }

  void flushRows(int first, int count) {
    addRows(first, count);
    store.flushInMemory();
  }

  void close() {
    store.close();
    assertThat(store.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }
}
