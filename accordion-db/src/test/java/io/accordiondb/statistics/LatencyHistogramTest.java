// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  private static LatencyHistogram of(long... nanos) {
    long[] counts = new long[LatencyHistogram.BUCKETS];
    for (long time : nanos) {
      counts[LatencyHistogram.bucketOf(time)]++;
    }
    return LatencyHistogram.of(
        counts, Arrays.stream(nanos).sum(), Arrays.stream(nanos).max().orElse(0));
  }

  @Test
  void rangesFollowEachOtherWithoutGap() {
    for (int bucket = 0; bucket < LatencyHistogram.BUCKETS; bucket++) {
      long last = LatencyHistogram.bucketMaxNanos(bucket);
      assertThat(LatencyHistogram.bucketOf(last)).isEqualTo(bucket);
      if (bucket + 1 < LatencyHistogram.BUCKETS) {
        assertThat(LatencyHistogram.bucketOf(last + 1)).isEqualTo(bucket + 1);
      }
    }
    assertThat(LatencyHistogram.bucketMaxNanos(LatencyHistogram.BUCKETS - 1))
        .isEqualTo(LatencyHistogram.NANOS_MAX);
    assertThat(LatencyHistogram.bucketOf(Long.MAX_VALUE)).isEqualTo(LatencyHistogram.BUCKETS - 1);
    assertThat(LatencyHistogram.bucketOf(-1)).isZero();
  }

  @Test
  void percentilesAreAtMostASixteenthAboveTheExactOnes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      long[] times = new long[1 + random.nextInt(3000)];
      for (int i = 0; i < times.length; i++) {
        times[i] = (long) Math.exp(random.nextDouble() * 28);
      }
      LatencyHistogram histogram = of(times);
      Arrays.sort(times);
      for (double share : new double[] {0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1}) {
        long exact = times[Math.max(0, (int) Math.ceil(share * times.length) - 1)];
        assertThat(histogram.percentileNanos(share))
            .as("%s of %s times, seed %s", share, times.length, seed)
            .isBetween(exact, exact + exact / 16);
      }
      assertThat(histogram.count()).isEqualTo(times.length);
      assertThat(histogram.maxNanos()).isEqualTo(times[times.length - 1]);
      assertThat(histogram.meanNanos()).isEqualTo(Arrays.stream(times).sum() / times.length);
    }
  }

  @Test
  void aDifferenceHoldsWhatCameSince() {
    LatencyHistogram before = of(10, 1000);
    LatencyHistogram after = of(10, 1000, 20, 20, 500);
    LatencyHistogram since = after.minus(before);
    assertThat(since.count()).isEqualTo(3);
    assertThat(since.p50Nanos()).isEqualTo(20);
    assertThat(since.maxNanos()).isBetween(500L, 531L);
    assertThat(after.minus(after).count()).isZero();
    assertThat(after.minus(after).p99Nanos()).isZero();
  }

  @Test
  void anEmptyHistogramHasZeros() {
    assertThat(LatencyHistogram.EMPTY.p50Nanos()).isZero();
    assertThat(LatencyHistogram.EMPTY.meanNanos()).isZero();
    assertThat(LatencyHistogram.EMPTY)
        .hasToString("0 timed, p50 0 ns, p99 0 ns, p99.9 0 ns, max 0 ns");
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThatThrownBy(() -> LatencyHistogram.of(new long[3], 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 ranges");
    assertThatThrownBy(() -> LatencyHistogram.EMPTY.percentileNanos(1.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.01");
    assertThatThrownBy(() -> LatencyHistogram.EMPTY.percentileNanos(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
