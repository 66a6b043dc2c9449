// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.BenchResult.LatencyPoint;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Records the latencies of operations. Belongs to one thread. */
public final class Latencies {
  /** Opening a store takes longer than a minute if its log is large. */
  private static final long NANOS_MAX = TimeUnit.HOURS.toNanos(1);

  private static final int DIGITS = 3;

  private final Histogram nanos = new Histogram(NANOS_MAX, DIGITS);
  private final LatencySeries series = new LatencySeries(NANOS_MAX);

  /** Begins with none. */
  public Latencies() {}

  /** Returns the latencies of several threads together. */
  public static Latencies sum(List<Latencies> parts) {
    Latencies sum = new Latencies();
    parts.forEach(sum::add);
    return sum;
  }

  /** Adds what another thread has recorded, which is done. */
  public void add(Latencies other) {
    nanos.add(other.nanos);
    series.add(other.series);
  }

  /** Records an operation that ends now and began, or was due, at a time of the clock. */
  public void recordSince(long begunNanos) {
    long now = System.nanoTime();
    long taken = Math.min(NANOS_MAX, now - begunNanos);
    nanos.recordValue(taken);
    series.record(now, taken);
  }

  /** Returns how many were recorded. */
  public long count() {
    return nanos.getTotalCount();
  }

  /** Returns latencies over time. */
  public List<LatencyPoint> overTime() {
    return series.points();
  }

  /** Returns percentiles in microseconds. */
  public Latency percentiles() {
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
