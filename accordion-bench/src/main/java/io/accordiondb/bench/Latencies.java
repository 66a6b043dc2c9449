// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.Latency;
import java.util.List;
import org.HdrHistogram.Histogram;

/** How long operations took. Belongs to one thread. */
final class Latencies {
  private static final long NANOS_MAX = 60_000_000_000L;
  private static final int DIGITS = 3;

  private final Histogram nanos = new Histogram(NANOS_MAX, DIGITS);

  /** Returns the latencies of several threads together. */
  static Latencies sum(List<Latencies> parts) {
    Latencies sum = new Latencies();
    parts.forEach(part -> sum.nanos.add(part.nanos));
    return sum;
  }

  /** Records an operation that ends now. */
  void recordSince(long begunNanos) {
    nanos.recordValue(Math.min(NANOS_MAX, System.nanoTime() - begunNanos));
  }

  /** Returns how many were recorded. */
  long count() {
    return nanos.getTotalCount();
  }

  /** Returns percentiles in microseconds. */
  Latency percentiles() {
    return new Latency(
        micros(50), micros(95), micros(99), micros(99.9), micros(99.99), nanos.getMaxValue() / 1e3);
  }

  private double micros(double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e3;
  }
}
