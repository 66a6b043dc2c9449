// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;

class AdaptiveStateTest {
  private final AdaptiveState state = new AdaptiveState();

  @Test
  void theThrottleGrowsByTwoPercentAnInMemoryFlushUpToOne() {
    assertThat(state.throttle()).isEqualTo(0.5);
    for (int flushes = 1; flushes <= 100; flushes++) {
      state.onInMemoryFlush();
      assertThat(state.throttle())
          .isEqualTo(Math.min(1, 0.5 * Math.pow(1.02, flushes)), offset(1e-9));
    }
    assertThat(state.throttle()).isEqualTo(1);
  }

  @Test
  void withoutAMeasurementNothingIsCompacted() {
    assertThat(state.uniqueness()).isNaN();
    assertThat(state.shouldCompact(0, 0)).isFalse();
    state.onMerge(1, 10);
    assertThat(state.shouldCompact(0, 0)).isTrue();
  }

  @Test
  void redundancyMustExceedTheThresholdAndTheDrawBeBelowTheThrottle() {
    state.onMerge(3, 4);
    assertThat(state.shouldCompact(0.25, 0)).isFalse();
    assertThat(state.shouldCompact(0.2, 0)).isTrue();
    assertThat(state.shouldCompact(0.2, 0.499)).isTrue();
    assertThat(state.shouldCompact(0.2, 0.5)).isFalse();
    state.onInMemoryFlush();
    assertThat(state.shouldCompact(0.2, 0.5)).isTrue();
    assertThat(state.shouldCompact(0.2, 0.51)).isFalse();
  }

  @Test
  void aDiskFlushBeginsAnew() {
    state.onInMemoryFlush();
    state.onMerge(1, 10);
    state.onDiskFlush();
    assertThat(state.throttle()).isEqualTo(0.5);
    assertThat(state.uniqueness()).isNaN();
  }
}
