// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.LatencyPoint;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Records latencies over time in a coarse histogram for each interval. It starts with short
 * intervals, and joins pairs of them when there are more than {@value #INTERVALS_MAX}. Belongs to
 * one thread.
 */
final class LatencySeries {
  static final int INTERVALS_MAX = 200;

  private static final long SHORTEST_NANOS = 250_000_000L;
  private static final int DIGITS = 1;

  /** How short the last interval counts at least: a single operation in it is no rate. */
  private static final double LAST_SHARE_MIN = 0.25;

  private static final double NANOS_A_MICRO = 1e3;
  private static final double NANOS_A_SECOND = 1e9;

  private final long nanosMax;
  private List<Histogram> intervals = new ArrayList<>();
  private long intervalNanos = SHORTEST_NANOS;

  /** The interval recorded into last, and when it ends: most operations end in the same. */
  private @Nullable Histogram current;

  private long currentEndsNanos;
  private long begunNanos;
  private long endedNanos;

  /** Begins with nothing; no latency may be longer than the longest. */
  LatencySeries(long nanosMax) {
    this.nanosMax = nanosMax;
  }

  /** Records an operation that ended at a time of {@link System#nanoTime}. */
  void record(long endNanos, long latencyNanos) {
    if (intervals.isEmpty()) {
      begunNanos = endNanos - latencyNanos;
      endedNanos = endNanos;
    }
    endedNanos = Math.max(endedNanos, endNanos);
    Histogram interval = current;
    if (interval == null
        || endNanos < currentEndsNanos - intervalNanos
        || endNanos >= currentEndsNanos) {
      interval = at(endNanos);
      current = interval;
      currentEndsNanos = begunNanos + ((endNanos - begunNanos) / intervalNanos + 1) * intervalNanos;
    }
    interval.recordValue(latencyNanos);
  }

  /** Adds what another thread has recorded, which is done. */
  void add(LatencySeries other) {
    if (intervals.isEmpty()) {
      begunNanos = other.begunNanos;
      endedNanos = other.endedNanos;
    }
    for (int i = 0; i < other.intervals.size(); i++) {
      // Its middle, for its beginning may lie in the interval before the one that has most of it.
      long middle = other.begunNanos + i * other.intervalNanos + other.intervalNanos / 2;
      at(middle).add(other.intervals.get(i));
      endedNanos = Math.max(endedNanos, other.endedNanos);
    }
  }

  /** Returns the histogram of a moment; what lies before the beginning counts as the beginning. */
  private Histogram at(long nanos) {
    long number = Math.max(0, nanos - begunNanos) / intervalNanos;
    while (number >= INTERVALS_MAX) {
      joinPairs();
      number = Math.max(0, nanos - begunNanos) / intervalNanos;
    }
    while (intervals.size() <= number) {
      intervals.add(new Histogram(nanosMax, DIGITS));
    }
    return intervals.get((int) number);
  }

  private void joinPairs() {
    List<Histogram> joined = new ArrayList<>();
    for (int i = 0; i < intervals.size(); i += 2) {
      Histogram first = intervals.get(i);
      if (i + 1 < intervals.size()) {
        first.add(intervals.get(i + 1));
      }
      joined.add(first);
    }
    intervals = joined;
    current = null;
    intervalNanos *= 2;
  }

  /** Returns a point for the middle of each interval in which an operation ended. */
  List<LatencyPoint> points() {
    List<LatencyPoint> points = new ArrayList<>();
    for (int i = 0; i < intervals.size(); i++) {
      Histogram interval = intervals.get(i);
      if (interval.getTotalCount() > 0) {
        points.add(
            new LatencyPoint(
                (i + 0.5) * intervalNanos / NANOS_A_SECOND,
                interval.getTotalCount() / lengthSeconds(i),
                interval.getValueAtPercentile(50) / NANOS_A_MICRO,
                interval.getValueAtPercentile(99) / NANOS_A_MICRO,
                interval.getMaxValue() / NANOS_A_MICRO));
      }
    }
    return points;
  }

  /** Returns how long an interval is; the last one goes no further than the last operation. */
  private double lengthSeconds(int number) {
    double share = (double) (endedNanos - begunNanos) / intervalNanos - number;
    return Math.min(1, Math.max(LAST_SHARE_MIN, share)) * intervalNanos / NANOS_A_SECOND;
  }
}
