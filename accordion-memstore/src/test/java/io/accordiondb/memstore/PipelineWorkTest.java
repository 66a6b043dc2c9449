// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellReading;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How background work on the pipeline begins, and what it leaves if it cannot begin, or fails. */
class PipelineWorkTest extends PolicyFixture {
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

  /** Readers would search more and more segments. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void segmentsAreMergedWhileTheRulesOfTheHostFail(boolean halfWay) {
    AtomicBoolean fails = new AtomicBoolean(true);
    open(
        unseen -> {
          if (fails.get() && !halfWay) {
            throw new IllegalStateException("no rules");
          }
          return (buffer, offset, length, sequence) -> {
            if (fails.get()) {
              throw new IllegalStateException("no rules");
            }
            return sequence > 60;
          };
        });
    for (int segment = 0; segment < 6; segment++) {
      flushRows(10 * segment, 10);
      assertThat(events).contains("failed: no rules");
      events.remove("failed: no rules");
    }
    assertThat(events).last().isEqualTo("merged 6 segments, 60 cells, u 1.0");
    assertThat(store.statistics().lastDecision()).startsWith("merge of 6");
    assertThat(store.usedBytes()).isEqualTo(store.flushableBytes());
    fails.set(false);
    flushRows(0, 10);
    assertThat(events).last().isEqualTo("compacted 2 segments, 70 to 10");
    close();
  }
}
