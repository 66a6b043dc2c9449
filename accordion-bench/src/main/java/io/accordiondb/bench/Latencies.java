// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.Latency;
import java.util.List;
import org.HdrHistogram.Histogram;

/** How long operations took. Belongs to one thread. */
public final class Latencies {
  private static final long NANOS_MAX = 60_000_000_000L;
  private static final int DIGITS = 3;

  private final Histogram nanos = new Histogram(NANOS_MAX, DIGITS);

  /** Begins with none. */
  public Latencies() {}

  /** Returns the latencies of several threads together. */
  static Latencies sum(List<Latencies> parts) {
    Latencies sum = new Latencies();
    parts.forEach(sum::add);
    return sum;
  }

  /** Adds what another thread has recorded, which is done. */
  public void add(Latencies other) {
    nanos.add(other.nanos);
  }

  /** Records an operation that ends now. */
  public void recordSince(long begunNanos) {
    nanos.recordValue(Math.min(NANOS_MAX, System.nanoTime() - begunNanos));
  }

  /** Returns how many were recorded. */
  public long count() {
    return nanos.getTotalCount();
  }

  /** Returns percentiles in microseconds. */
  Latency percentiles() {
    return new Latency(
        micros(50), micros(95), micros(99), micros(99.9), micros(99.99), nanos.getMaxValue() / 1e3);
  }

  /** Returns their mean in microseconds. */
  public double meanMicros() {
    return nanos.getMean() / 1e3;
  }

  /** Returns a percentile in microseconds. */
  public double micros(double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e3;
  }
}
