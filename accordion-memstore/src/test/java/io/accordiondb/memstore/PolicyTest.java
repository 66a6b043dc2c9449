// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What each policy does at each in-memory flush, with background work done at once. */
class PolicyTest implements MemStoreListener {
  private final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
  private final List<String> events = new ArrayList<>();
  private MemoryBudget budget = new MemoryBudget(1 << 28);
  private Executor executor = Runnable::run;
  private DoubleSupplier draw = () -> 0;
  private LongSupplier smallestReadPoint = () -> Long.MAX_VALUE;
  private final List<Long> eliminatedAtMerge = new ArrayList<>();
  private MemStore store;
  private int snapshots;
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

  @Test
  void noneHasNoPipeline() {
    open(Policy.NONE);
    for (int i = 0; i < 20; i++) {
      addRows(0, 500);
      store.flushInMemory();
    }
    assertThat(events).isEmpty();
    assertThat(store.statistics().pipelineSegments()).isZero();
    assertThat(store.statistics().cells()).isEqualTo(10_000);
    close();
  }

  @Test
  void theWholePipelineIsMergedOnRequest() {
    open(MemStorePolicy.of(Policy.BASIC).withPipelineSegmentsMax(5));
    flushRows(0, 10);
    flushRows(0, 10);
    flushRows(10, 10);
    addRows(20, 500);
    events.clear();
    store.mergePipeline();
    assertThat(events).containsExactly("merged 3 segments, 30 cells, u " + 20.0 / 30);
    addRows(600, 1);
    store.mergePipeline();
    assertThat(events).as("the active segment is being written").hasSize(1);
    store.mergePipeline();
    assertThat(events)
        .containsExactly(
            "merged 3 segments, 30 cells, u " + 20.0 / 30,
            "flushed 501",
            "merged 2 segments, 531 cells, u " + 521.0 / 531);
    addRows(0, 1);
    store.mergePipeline();
    store.mergePipeline();
    assertThat(events).as("one cell is not worth a merge").hasSize(3);
    assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    close();
  }

  @Test
  void aLargePipelineIsMergedSeldomWhileLittleIsWritten() {
    open(MemStorePolicy.of(Policy.BASIC).withPipelineSegmentsMax(5));
    for (int i = 0; i < 600; i++) {
      addRows(0, 1000);
    }
    for (int i = 0; i < 3; i++) {
      flushRows(0, 10);
      events.clear();
      store.mergePipeline();
      assertThat(events).as("600,000 cells").isEmpty();
      store.mergePipeline();
      assertThat(events).hasSize(1);
      assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    }
    close();
  }

  @Test
  void aPipelineThatIsMergedOnRequestLosesWhatThePolicyDrops() {
    for (MemStorePolicy policy : List.of(adaptive(5), MemStorePolicy.of(Policy.AUTO))) {
      open(policy);
      for (int i = 0; i < 20; i++) {
        flushRows(0, 10);
        store.mergePipeline();
        assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
      }
      assertThat(store.statistics().cells()).as("cells of 10 columns").isEqualTo(10);
      close();
    }
  }

  @Test
  void eagerCompactsAlsoOnRequest() {
    List<Runnable> waiting = new ArrayList<>();
    executor = waiting::add;
    open(Policy.EAGER);
    flushRows(0, 10);
    flushRows(0, 10);
    store.mergePipeline();
    waiting.remove(0).run();
    assertThat(waiting).isEmpty();
    assertThat(events).last().isEqualTo("compacted 2 segments, 20 to 10");
    close();
  }

  @Test
  void aPipelineIsMergedOnRequestAlsoWithoutRoomForACompaction() {
    budget = new MemoryBudget(1);
    open(adaptive(5));
    for (int i = 0; i < 3; i++) {
      flushRows(0, 10);
      store.mergePipeline();
    }
    assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    assertThat(store.statistics().cells()).isEqualTo(30);
    close();
  }

  @Test
  void basicMergesOnlyBeyondItsSegments() {
    open(MemStorePolicy.of(Policy.BASIC).withPipelineSegmentsMax(3));
    for (int segments : new int[] {1, 2, 3, 1, 2, 3, 2}) {
      flushRows(0, 10);
      assertThat(store.statistics().pipelineSegments()).isEqualTo(segments);
    }
    assertThat(events)
        .filteredOn(event -> !event.startsWith("flushed"))
        .containsExactly(
            "merged 4 segments, 40 cells, u 0.25", "merged 3 segments, 30 cells, u " + 10.0 / 30);
    MemStoreStatistics statistics = store.statistics();
    assertThat(statistics.merges()).isEqualTo(2);
    assertThat(statistics.compactions()).isZero();
    assertThat(statistics.cells()).isEqualTo(70);
    close();
  }

  @Test
  void theFirstSegmentIsSealedEarlySoThatOthersKnowWhatRowsHaveInCommon() {
    open(MemStorePolicy.of(Policy.BASIC), 1L << 30);
    assertThat(store.keyPrefix()).isEqualTo(KeyPrefix.UNANCHORED);
    // 40 bytes a row; the second segment has room for all that follow.
    for (int row = 0; row < 9_999; row += 99) {
      addRows(row, 99);
      addRows(row, 99);
    }
    assertThat(events).hasSize(1);
    assertThat(store.keyPrefix()).isNotEqualTo(KeyPrefix.UNANCHORED);
    assertThat(store.statistics().cells()).isEqualTo(2 * 9_999);
    close();
  }

  @Test
  void basicMergesAllSegmentsWhereThatIsTheSchedule() {
    open(
        MemStorePolicy.of(Policy.BASIC)
            .withPipelineSegmentsMax(3)
            .withMergeSchedule(MergeSchedule.ALL));
    for (int segments : new int[] {1, 2, 3, 1, 2, 3, 1}) {
      flushRows(0, 10);
      assertThat(store.statistics().pipelineSegments()).isEqualTo(segments);
    }
    assertThat(events)
        .filteredOn(event -> !event.startsWith("flushed"))
        .containsExactly(
            "merged 4 segments, 40 cells, u 0.25", "merged 4 segments, 70 cells, u " + 10.0 / 70);
    close();
  }

  @Test
  void adaptiveThatDropsNothingMergesAsScheduled() {
    for (MergeSchedule schedule : MergeSchedule.values()) {
      events.clear();
      open(adaptive(2).withMergeSchedule(schedule));
      flushRows(0, 10);
      flushRows(10, 10);
      flushRows(20, 40);
      flushRows(60, 10);
      flushRows(70, 10);
      assertThat(events)
          .filteredOn(event -> !event.startsWith("flushed"))
          .last()
          .isEqualTo(
              schedule == MergeSchedule.ALL
                  ? "merged 3 segments, 80 cells, u 1.0"
                  : "merged 2 segments, 20 cells, u 1.0");
      close();
    }
  }

  @Test
  void eagerCompactsAtEachInMemoryFlush() {
    open(Policy.EAGER);
    flushRows(0, 10);
    flushRows(5, 10);
    flushRows(0, 15);
    assertThat(events)
        .containsExactly(
            "flushed 10",
            "flushed 10",
            "compacted 2 segments, 20 to 15",
            "flushed 15",
            "compacted 2 segments, 30 to 15");
    assertThat(store.statistics().cellsEliminated()).isEqualTo(20);
    assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    assertThat(store.statistics().cells()).isEqualTo(15);
    close();
  }

  @Test
  void eagerKeepsWhatAReaderOfThePastNeeds() {
    open(Policy.EAGER);
    flushRows(0, 10);
    smallestReadPoint = () -> 10;
    flushRows(0, 10);
    flushRows(0, 10);
    assertThat(events).last().isEqualTo("compacted 2 segments, 30 to 30");
    smallestReadPoint = () -> 30;
    flushRows(0, 10);
    assertThat(events).last().isEqualTo("compacted 2 segments, 40 to 20");
    close();
  }

  @Test
  void eagerWithoutRoomForACompactionMergesBeyondItsSegments() {
    budget = new MemoryBudget(1);
    open(MemStorePolicy.of(Policy.EAGER).withPipelineSegmentsMax(2));
    flushRows(0, 10);
    flushRows(0, 10);
    assertThat(store.statistics().pipelineSegments()).isEqualTo(2);
    flushRows(0, 10);
    assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    assertThat(store.statistics().compactions()).isZero();
    assertThat(store.statistics().merges()).isEqualTo(1);
    close();
  }

  @Test
  void adaptiveMergesFirstAndCompactsOnceItHasSeenRedundancy() {
    open(adaptive(2));
    for (int i = 0; i < 7; i++) {
      flushRows(0, 10);
    }
    assertThat(events)
        .filteredOn(event -> !event.startsWith("flushed"))
        .containsExactly(
            "merged 3 segments, 30 cells, u " + 10.0 / 30,
            "compacted 3 segments, 50 to 10",
            // A compaction measures as well.
            "compacted 3 segments, 30 to 10");
    close();
  }

  @Test
  void adaptiveMergesAsLongAsRedundancyDoesNotExceedTheThreshold() {
    // Four columns in five are different: the redundancy of 0.2 is R, and does not exceed it.
    open(adaptive(1).withRedundancyThreshold(0.2));
    flushRows(0, 40);
    flushRows(30, 10);
    assertThat(store.statistics().uniqueness()).isEqualTo(0.8);
    flushRows(40, 10);
    assertThat(store.statistics().merges()).isEqualTo(2);
    assertThat(store.statistics().compactions()).isZero();
    // Now it is 10 in 60.
    flushRows(0, 10);
    assertThat(store.statistics().uniqueness()).isEqualTo(50.0 / 70);
    flushRows(0, 10);
    assertThat(store.statistics().compactions()).isEqualTo(1);
    close();
  }

  @Test
  void adaptiveCompactsWithTheProbabilityOfItsThrottle() {
    open(adaptive(1));
    flushRows(0, 10);
    flushRows(0, 10);
    double throttle = 0.5 * 1.02 * 1.02;
    assertThat(store.statistics().throttle()).isEqualTo(throttle, offset(1e-12));
    draw = () -> throttle * 1.02 + 1e-9;
    flushRows(0, 10);
    assertThat(store.statistics().merges()).isEqualTo(2);
    draw = () -> throttle * 1.02 * 1.02 - 1e-9;
    flushRows(0, 10);
    assertThat(store.statistics().merges()).isEqualTo(2);
    assertThat(store.statistics().compactions()).isEqualTo(1);
    close();
  }

  @Test
  void whatIsOverwrittenWithinASegmentGoesWhenItIsFlattened() {
    open(adaptive(1));
    for (int i = 0; i < 2; i++) {
      addRows(0, 10);
      flushRows(0, 10);
    }
    assertThat(store.statistics().cellsEliminated()).isEqualTo(20);
    assertThat(store.statistics().merges()).isEqualTo(1);
    // Of forty cells that were added, ten are different; the merge has met only twenty.
    assertThat(store.statistics().uniqueness()).isEqualTo(0.25);
    close();
  }

  @Test
  void flatteningUnderBasicDropsNothing() {
    open(Policy.BASIC);
    addRows(0, 10);
    flushRows(0, 10);
    assertThat(store.statistics().cellsEliminated()).isZero();
    assertThat(store.statistics().cells()).isEqualTo(20);
    close();
  }

  @Test
  void flatteningKeepsWhatAReaderOfThePastNeeds() {
    open(adaptive(5));
    smallestReadPoint = () -> 10;
    addRows(0, 10);
    flushRows(0, 10);
    assertThat(store.statistics().cells()).isEqualTo(20);
    close();
  }

  @Test
  void whatIsSealedDuringAMergeIsFlattenedBeforeItsEnd() {
    open(adaptive(1));
    flushRows(0, 10);
    draw =
        () -> {
          draw = () -> 1;
          addRows(0, 10);
          flushRows(0, 10);
          return 1;
        };
    flushRows(0, 10);
    assertThat(eliminatedAtMerge).startsWith(10L);
    close();
  }

  @Test
  void aWriterFlattensItsSegmentWhileTheBackgroundIsBusy() {
    List<Runnable> waiting = new ArrayList<>();
    executor = waiting::add;
    open(adaptive(5));
    for (int segment = 1; segment <= 3; segment++) {
      addRows(0, 10);
      flushRows(0, 10);
      assertThat(store.statistics().cellsEliminated()).isEqualTo(10 * (segment - 1));
    }
    waiting.remove(0).run();
    assertThat(waiting).isEmpty();
    assertThat(store.statistics().cellsEliminated()).isEqualTo(30);
    addRows(0, 10);
    flushRows(0, 10);
    assertThat(store.statistics().cellsEliminated()).isEqualTo(30);
    close();
  }

  @Test
  void aWriterDoesNotFailWhereItsFlatteningDoes() {
    executor = task -> {};
    open(adaptive(5));
    flushRows(0, 10);
    smallestReadPoint =
        () -> {
          throw new IllegalStateException("no read point");
        };
    flushRows(0, 10);
    assertThat(events).containsExactly("flushed 10", "failed: no read point", "flushed 10");
    assertThat(store.statistics().cells()).isEqualTo(20);
    close();
  }

  @Test
  void aDiskFlushResetsThrottleAndUniqueness() {
    open(adaptive(1));
    flushRows(0, 10);
    flushRows(0, 10);
    assertThat(store.statistics().throttle()).isGreaterThan(0.5);
    assertThat(store.statistics().uniqueness()).isEqualTo(0.5);
    store.snapshot();
    assertThat(store.statistics().throttle()).isEqualTo(0.5);
    assertThat(store.statistics().uniqueness()).isNaN();
    store.clearSnapshot();
    flushRows(0, 10);
    flushRows(0, 10);
    assertThat(events).last().asString().startsWith("merged 2");
    close();
  }

  @Test
  void aDiskFlushThatIsRepeatedLeavesThrottleAndUniqueness() {
    open(adaptive(1));
    flushRows(0, 10);
    store.snapshot();
    flushRows(0, 10);
    flushRows(0, 10);
    double throttle = store.statistics().throttle();
    store.snapshot();
    assertThat(store.statistics().throttle()).isEqualTo(throttle).isGreaterThan(0.5);
    assertThat(store.statistics().uniqueness()).isEqualTo(0.5);
    assertThat(snapshots).isEqualTo(1);
    close();
  }

  @Test
  void aDiskFlushThatIsRepeatedCancelsNoCompactionOfWhatItDoesNotTake() {
    int[] cells = new int[1];
    open(
        (readPoint, unsettled) ->
            (buffer, offset, length, sequence) -> {
              // The first ten cells are flattened, then twenty are compacted.
              if (++cells[0] == 40) {
                store.snapshot();
              }
              return true;
            });
    flushRows(0, 10);
    store.snapshot();
    flushRows(0, 10);
    flushRows(10, 10);
    assertThat(cells[0]).isGreaterThan(40);
    assertThat(events).last().isEqualTo("compacted 2 segments, 20 to 20");
    close();
  }

  @Test
  void aMergeThatLosesAgainstADiskFlushIsAbortedAndGivesItsMemoryBack() {
    open(adaptive(1));
    flushRows(0, 10);
    draw =
        () -> {
          store.snapshot();
          return 0;
        };
    flushRows(10, 10);
    assertThat(events).endsWith("flushed 10", "aborted");
    assertThat(store.statistics().aborts()).isEqualTo(1);
    assertThat(store.statistics().merges()).isZero();
    assertThat(store.statistics().pipelineSegments()).isZero();
    assertSnapshotIsAllThatIsHeld(20);
    close();
  }

  @Test
  void aCompactionThatLosesAgainstADiskFlushIsAbortedAndGivesItsMemoryBack() {
    open(Policy.EAGER);
    flushRows(0, 10);
    smallestReadPoint =
        () -> {
          store.snapshot();
          return Long.MAX_VALUE;
        };
    flushRows(0, 10);
    assertThat(events).endsWith("flushed 10", "aborted");
    assertThat(store.statistics().aborts()).isEqualTo(1);
    assertThat(store.statistics().cellsEliminated()).isZero();
    assertSnapshotIsAllThatIsHeld(20);
    close();
  }

  private void assertSnapshotIsAllThatIsHeld(int cells) {
    FlushSnapshot snapshot = store.snapshot();
    assertThat(CellReading.readAll(snapshot.sources())).hasSize(cells);
    assertThat(store.flushableBytes()).isZero();
    store.clearSnapshot();
    assertThat(store.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  @Test
  void aPolicyChangesAtRunTime() {
    open(MemStorePolicy.of(Policy.BASIC));
    flushRows(0, 10);
    flushRows(0, 10);
    setPolicy(MemStorePolicy.of(Policy.EAGER));
    flushRows(0, 10);
    assertThat(events).last().isEqualTo("compacted 3 segments, 30 to 10");
    setPolicy(MemStorePolicy.of(Policy.NONE));
    // The active segment is still one that is sealed; the next is not.
    flushRows(0, 10);
    flushRows(0, 10);
    assertThat(events).endsWith("flushed 10");
    assertThat(store.statistics().pipelineSegments()).isEqualTo(2);
    assertThat(store.statistics().cells()).isEqualTo(30);
    close();
  }

  @Test
  void anExecutorThatRejectsCostsCompactnessAlone() {
    executor =
        task -> {
          throw new RejectedExecutionException();
        };
    open(MemStorePolicy.of(Policy.EAGER));
    flushRows(0, 10);
    flushRows(0, 10);
    assertThat(events).containsExactly("flushed 10", "flushed 10");
    assertThat(store.statistics().pipelineSegments()).isEqualTo(2);
    try (MemStoreView view = store.view()) {
      assertThat(CellReading.readAll(view.sources())).hasSize(20);
    }
    executor = Runnable::run;
    flushRows(0, 10);
    assertThat(events).last().isEqualTo("compacted 3 segments, 30 to 10");
    close();
  }

  @Test
  void anInMemoryFlushDuringARunIsServedByTheSameRun() {
    open(Policy.EAGER);
    smallestReadPoint =
        () -> {
          smallestReadPoint = () -> Long.MAX_VALUE;
          flushRows(0, 10);
          return Long.MAX_VALUE;
        };
    flushRows(0, 10);
    assertThat(events)
        .containsExactly("flushed 10", "flushed 10", "compacted 2 segments, 20 to 10");
    assertThat(store.statistics().pipelineSegments()).isEqualTo(1);
    close();
  }

  @Test
  void failedWorkIsReportedAndLeavesTheSegmentsAsTheyWere() {
    open(MemStorePolicy.of(Policy.EAGER));
    flushRows(0, 10);
    smallestReadPoint =
        () -> {
          throw new IllegalStateException("no read point");
        };
    flushRows(0, 10);
    assertThat(events).last().isEqualTo("failed: no read point");
    assertThat(store.statistics().pipelineSegments()).isEqualTo(2);
    assertThat(store.usedBytes()).isEqualTo(store.flushableBytes());
    smallestReadPoint = () -> Long.MAX_VALUE;
    flushRows(0, 10);
    assertThat(events).last().isEqualTo("compacted 3 segments, 30 to 10");
    close();
  }

  @Test
  void anActiveSegmentIsSealedWhenItReachesItsFraction() {
    open(MemStorePolicy.of(Policy.BASIC).withActiveFraction(0.1), 200_000);
    long cellBytes = ModelCell.put("row0000", "q", 1, 1, "v").length();
    addRows(0, (int) (20_000 / cellBytes));
    assertThat(events).isEmpty();
    addRows(0, 1);
    assertThat(events).containsExactly("flushed " + (20_000 / cellBytes + 1));
    close();
  }

  private static MemStorePolicy adaptive(int segments) {
    return MemStorePolicy.of(Policy.ADAPTIVE)
        .withPipelineSegmentsMax(segments)
        .withRedundancyThreshold(0.4);
  }

  private void open(Policy policy) {
    open(MemStorePolicy.of(policy));
  }

  private void open(MemStorePolicy policy) {
    open(policy, 1 << 20);
  }

  private void open(CompactionRules rules) {
    open(MemStorePolicy.of(Policy.EAGER), 1 << 20, rules);
  }

  private void open(MemStorePolicy policy, long flushBytes) {
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

  private void setPolicy(MemStorePolicy policy) {
    store.setOptions(new MemStoreOptions(policy, VersionRules.DEFAULT, 1 << 20));
  }

  /** Adds one cell to each of some rows. */
  private void addRows(int first, int count) {
    List<ModelCell> cells = new ArrayList<>();
    for (int row = first; row < first + count; row++) {
      lastSequence++;
      cells.add(ModelCell.put(String.format("row%04d", row), "q", lastSequence, lastSequence, "v"));
    }
    store.add(ModelCell.encode(cells), 0, count, lastSequence - count + 1);
  }

  private void flushRows(int first, int count) {
    addRows(first, count);
    store.flushInMemory();
  }

  private void close() {
    store.close();
    assertThat(store.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }
}
