// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is dropped when a sealed segment becomes a flat one, and which thread flattens it. */
class FlatteningTest extends PolicyFixture {
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
  void aWriterFlattensItsSegmentIfTheBackgroundStaysBusy() {
    List<Runnable> waiting = new ArrayList<>();
    executor = waiting::add;
    open(adaptive(5));
    for (int segment = 1; segment <= 3; segment++) {
      addRows(0, 10);
      flushRows(0, 10);
      assertThat(store.statistics().cellsEliminated()).isEqualTo(segment == 3 ? 10 : 0);
    }
    waiting.remove(0).run();
    assertThat(waiting).isEmpty();
    assertThat(store.statistics().cellsEliminated()).isEqualTo(30);
    for (int segment = 4; segment <= 5; segment++) {
      addRows(0, 10);
      flushRows(0, 10);
      assertThat(store.statistics().cellsEliminated()).as("idle in between").isEqualTo(30);
    }
    close();
  }

  @Test
  void aWriterDoesNotFailWhereItsFlatteningDoes() {
    executor = task -> {};
    open(adaptive(5));
    flushRows(0, 10);
    flushRows(0, 10);
    smallestReadPoint =
        () -> {
          throw new IllegalStateException("no read point");
        };
    flushRows(0, 10);
    assertThat(events)
        .containsExactly("flushed 10", "flushed 10", "failed: no read point", "flushed 10");
    assertThat(store.statistics().cells()).isEqualTo(30);
    close();
  }
}
