// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellReading;
import org.junit.jupiter.api.Test;

/** What a disk flush leaves of what the pipeline has measured, and of changes that it overtakes. */
class PipelineBesideDiskFlushTest extends PolicyFixture {
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
        unseen ->
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
}
