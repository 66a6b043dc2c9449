// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriteBrakeTest {
  private static final long LIMIT = 1000;
  private static final int BYTES = 1000;

  /** Later than any brake was made. */
  private static final long NOW = System.nanoTime() + (1L << 40);

  private long held;
  private final WriteBrake brake = new WriteBrake(0.5, LIMIT, () -> held);

  @Test
  void nobodyIsHeldUpBelowTheMark() {
    held = 500;
    assertThat(brake.pauseNanos(BYTES, NOW)).isZero();
    brake.hold(BYTES);
    assertThat(brake.pauses()).isZero();
  }

  @Test
  void thePaceFallsTowardsTheLimit() {
    held = 750;
    assertThat(brake.pauseNanos(BYTES, NOW)).isEqualTo(20_000);
    held = 900;
    assertThat(brake.pauseNanos(BYTES, NOW + 1_000_000)).isEqualTo(80_000);
    held = 999;
    assertThat(brake.pauseNanos(BYTES, NOW + 2_000_000)).isEqualTo(9_980_000);
    assertThat(brake.pauseNanos(100 * BYTES, NOW + 20_000_000)).isEqualTo(20_000_000);
  }

  /** They hold locks for which others wait, and HBase refuses new writes. */
  @Test
  void writersThatWereLetInBeforeEndWithoutAPauseAtTheLimit() {
    for (long bytes : new long[] {LIMIT, 2 * LIMIT}) {
      held = bytes;
      assertThat(brake.pauseNanos(BYTES, NOW)).isZero();
    }
  }

  @Test
  void writersShareOnePaceAndNoneWaitsForLong() {
    held = 750;
    assertThat(brake.pauseNanos(BYTES, NOW)).isEqualTo(20_000);
    assertThat(brake.pauseNanos(BYTES, NOW + 5_000)).isEqualTo(35_000);
    for (int i = 0; i < 2000; i++) {
      assertThat(brake.pauseNanos(BYTES, NOW + 5_000)).isLessThanOrEqualTo(20_000_000);
    }
    assertThat(brake.pauseNanos(BYTES, NOW + 50_000_000)).isEqualTo(20_000);
  }

  @Test
  void pausesAreCountedAndTimed() {
    held = 750;
    brake.hold(BYTES);
    assertThat(brake.pauses()).isEqualTo(1);
    assertThat(brake.pausedNanos()).isPositive();
  }

  @Test
  void withAMarkOfOneNobodyIsHeldUp() {
    WriteBrake off = new WriteBrake(1, LIMIT, () -> held);
    held = LIMIT;
    assertThat(off.pauseNanos(BYTES, NOW)).isZero();
    // Writes that HBase has let in before may exceed the limit.
    held = 2 * LIMIT;
    assertThat(off.pauseNanos(BYTES, NOW)).isZero();
  }
}
