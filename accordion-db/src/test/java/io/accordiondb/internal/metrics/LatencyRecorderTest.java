// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.statistics.LatencyHistogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {
  private static final int THREADS = 8;
  private static final int TIMES = 20_000;

  @Test
  void whatManyThreadsRecordIsThereAsIfOneHad() throws InterruptedException {
    long seed = System.nanoTime();
    LatencyRecorder recorder = new LatencyRecorder();
    long[][] times = new long[THREADS][];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      long[] own = new Random(seed + i).longs(TIMES, 0, 10_000_000).toArray();
      times[i] = own;
      Thread thread = new Thread(() -> Arrays.stream(own).forEach(recorder::record));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long[] all = Arrays.stream(times).flatMapToLong(Arrays::stream).sorted().toArray();
    LatencyHistogram histogram = recorder.histogram();
    assertThat(histogram.count()).isEqualTo(all.length);
    assertThat(histogram.sumNanos()).isEqualTo(Arrays.stream(all).sum());
    assertThat(histogram.maxNanos()).isEqualTo(all[all.length - 1]);
    for (double share : new double[] {0.5, 0.99, 0.999}) {
      long exact = all[(int) Math.ceil(share * all.length) - 1];
      assertThat(histogram.percentileNanos(share))
          .as("%s, seed %s", share, seed)
          .isBetween(exact, exact + exact / 16);
    }
  }
}
