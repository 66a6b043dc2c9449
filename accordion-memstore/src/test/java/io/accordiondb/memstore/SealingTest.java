// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the active segment is sealed. */
class SealingTest extends PolicyFixture {
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
  void anActiveSegmentIsSealedWhenItReachesItsFraction() {
    open(MemStorePolicy.of(Policy.BASIC).withActiveFraction(0.1), 200_000);
    long cellBytes = ModelCell.put("row0000", "q", 1, 1, "v").length();
    addRows(0, (int) (20_000 / cellBytes));
    assertThat(events).isEmpty();
    addRows(0, 1);
    assertThat(events).containsExactly("flushed " + (20_000 / cellBytes + 1));
    close();
  }

  @Test
  @Timeout(60)
  void closingLeavesWritersTheSegmentThatTheyAreIn() throws Exception {
    open(Policy.BASIC);
    addRows(0, 10);
    MutableSegment active = store.segments().get().active();
    assertThat(active.enter()).isTrue();
    Thread closing = new Thread(store::close);
    closing.start();
    // A thread that waits for writers sleeps between its looks at the segment.
    while (closing.isAlive() && closing.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(pool.chunksInUse()).isPositive();
    active.exit();
    closing.join();
    assertThat(pool.chunksInUse()).isZero();
    assertThat(budget.usedBytes()).isZero();
  }
}
