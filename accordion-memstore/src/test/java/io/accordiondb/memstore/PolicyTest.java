// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.accordiondb.chunk.MemoryBudget;
import org.junit.jupiter.api.Test;

/** What each policy does at each in-memory flush. */
class PolicyTest extends PolicyFixture {
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
}
