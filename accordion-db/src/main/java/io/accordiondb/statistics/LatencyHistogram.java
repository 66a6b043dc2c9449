// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

import java.util.Arrays;

/**
 * How long operations took: how many were timed in each of a fixed number of ranges of time.
 * Immutable. A percentile is at most one part in 16 above the exact one.
 *
 * <p>Up to 32 ns each nanosecond has a range of its own; from there on each power of two is divided
 * into 16 ranges, up to {@link #NANOS_MAX}, which stands for everything longer.
 */
public final class LatencyHistogram {
  private static final int PRECISION_BITS = 4;

  /** The longest time that is distinguished from longer ones: about 73 minutes. */
  public static final long NANOS_MAX = (1L << 42) - 1;

  /** Number of ranges. */
  public static final int BUCKETS = bucketOf(NANOS_MAX) + 1;

  /** The histogram of no operations. */
  public static final LatencyHistogram EMPTY = new LatencyHistogram(new long[BUCKETS], 0, 0);

  private final long[] counts;
  private final long count;
  private final long sumNanos;
  private final long maxNanos;

  private LatencyHistogram(long[] counts, long sumNanos, long maxNanos) {
    this.counts = counts;
    this.count = Arrays.stream(counts).sum();
    this.sumNanos = sumNanos;
    this.maxNanos = maxNanos;
  }

  /**
   * Creates a histogram.
   *
   * @param counts how many operations there were in each range; copied
   * @param sumNanos how long they took together
   * @param maxNanos the longest of them; 0 if there was none
   * @return the histogram
   * @throws IllegalArgumentException if there are not {@link #BUCKETS} counts
   */
  public static LatencyHistogram of(long[] counts, long sumNanos, long maxNanos) {
    if (counts.length != BUCKETS) {
      throw new IllegalArgumentException(counts.length + " ranges, expected " + BUCKETS);
    }
    return new LatencyHistogram(counts.clone(), sumNanos, maxNanos);
  }

  /**
   * {@return the number of the range that a time belongs to; a negative time counts as 0}
   *
   * @param nanos the duration in nanoseconds
   */
  public static int bucketOf(long nanos) {
    long within = Math.max(0, Math.min(nanos, NANOS_MAX));
    int shift = Math.max(0, Long.SIZE - 1 - PRECISION_BITS - Long.numberOfLeadingZeros(within | 1));
    return (shift << PRECISION_BITS) + (int) (within >>> shift);
  }

  /**
   * {@return the longest time of a range, in nanoseconds}
   *
   * @param bucket the number of the range, from 0 to {@link #BUCKETS} - 1
   */
  public static long bucketMaxNanos(int bucket) {
    int shift = Math.max(0, (bucket >>> PRECISION_BITS) - 1);
    long first = bucket - ((long) shift << PRECISION_BITS);
    return ((first + 1) << shift) - 1;
  }

  /** {@return how many operations were timed} */
  public long count() {
    return count;
  }

  /**
   * {@return how many operations there were in a range}
   *
   * @param bucket the number of the range, from 0 to {@link #BUCKETS} - 1
   */
  public long count(int bucket) {
    return counts[bucket];
  }

  /** {@return how long the operations that were timed took together, in nanoseconds} */
  public long sumNanos() {
    return sumNanos;
  }

  /** {@return the mean in nanoseconds; 0 if nothing was timed} */
  public long meanNanos() {
    return count == 0 ? 0 : sumNanos / count;
  }

  /** {@return the longest time in nanoseconds; 0 if nothing was timed} */
  public long maxNanos() {
    return maxNanos;
  }

  /**
   * {@return the time within which a share of the operations ended, in nanoseconds; 0 if nothing
   * was timed}
   *
   * @param share above 0, at most 1: 0.99 for the 99th percentile
   */
  public long percentileNanos(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share is " + share + ", expected above 0, at most 1");
    }
    long wanted = Math.max(1, (long) Math.ceil(share * count));
    long seen = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      seen += counts[bucket];
      if (seen >= wanted) {
        return Math.min(bucketMaxNanos(bucket), maxNanos);
      }
    }
    return maxNanos;
  }

  /** {@return the median in nanoseconds} */
  public long p50Nanos() {
    return percentileNanos(0.5);
  }

  /** {@return the 99th percentile in nanoseconds} */
  public long p99Nanos() {
    return percentileNanos(0.99);
  }

  /** {@return the 99.9th percentile in nanoseconds} */
  public long p999Nanos() {
    return percentileNanos(0.999);
  }

  /**
   * {@return what was timed since an earlier histogram of the same operations} Its maximum is that
   * of its highest range.
   *
   * @param earlier the earlier histogram
   */
  public LatencyHistogram minus(LatencyHistogram earlier) {
    long[] difference = new long[BUCKETS];
    long highest = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      difference[bucket] = Math.max(0, counts[bucket] - earlier.counts[bucket]);
      if (difference[bucket] > 0) {
        highest = Math.min(bucketMaxNanos(bucket), maxNanos);
      }
    }
    return new LatencyHistogram(difference, Math.max(0, sumNanos - earlier.sumNanos), highest);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LatencyHistogram that
        && sumNanos == that.sumNanos
        && maxNanos == that.maxNanos
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return count
        + " timed, p50 "
        + p50Nanos()
        + " ns, p99 "
        + p99Nanos()
        + " ns, p99.9 "
        + p999Nanos()
        + " ns, max "
        + maxNanos
        + " ns";
  }
}
