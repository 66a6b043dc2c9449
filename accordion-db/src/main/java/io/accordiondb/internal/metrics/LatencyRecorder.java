// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.statistics.LatencyHistogram;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Records the latencies of operations in the ranges of {@link LatencyHistogram}. Thread-safe. It
 * uses 5 KiB for each of the few stripes in use, however many operations it records.
 */
final class LatencyRecorder {
  private static final int STRIPES = 4;

  /** Created when first needed; threads are spread over them. */
  private final AtomicReferenceArray<AtomicLongArray> stripes = new AtomicReferenceArray<>(STRIPES);

  private final LongAdder sumNanos = new LongAdder();
  private final AtomicLong maxNanos = new AtomicLong();

  void record(long nanos) {
    stripe().incrementAndGet(LatencyHistogram.bucketOf(nanos));
    sumNanos.add(Math.max(0, nanos));
    if (nanos > maxNanos.get()) {
      maxNanos.accumulateAndGet(nanos, Math::max);
    }
  }

  private AtomicLongArray stripe() {
    int index = (int) (Thread.currentThread().getId() & (STRIPES - 1));
    AtomicLongArray stripe = stripes.get(index);
    if (stripe != null) {
      return stripe;
    }
    AtomicLongArray made = new AtomicLongArray(LatencyHistogram.BUCKETS);
    return stripes.compareAndSet(index, null, made) ? made : stripes.get(index);
  }

  LatencyHistogram histogram() {
    long[] counts = new long[LatencyHistogram.BUCKETS];
    for (int index = 0; index < STRIPES; index++) {
      AtomicLongArray stripe = stripes.get(index);
      for (int bucket = 0; stripe != null && bucket < counts.length; bucket++) {
        counts[bucket] += stripe.get(bucket);
      }
    }
    return LatencyHistogram.of(counts, sumNanos.sum(), maxNanos.get());
  }
}
