// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

/**
 * Estimates the share of lookups that a table's Bloom filter rejects, and so whether a query of the
 * filter pays. A query costs a cache miss. It is wasted if nearly every wanted key exists, as in
 * the oldest table of a store whose readers know its keys. Then only one lookup in sixteen queries
 * the filter, to notice when that changes.
 *
 * <p>Thread-safe: estimate and count are only hints and are written without ordering.
 */
final class FilterSelectivity {
  private static final int ONE = 1 << 16;

  /** If fewer queries than one in 64 are rejected, queries do not pay. */
  private static final int REFUSALS_MIN = ONE / 64;

  /** The weight of each result is one in 2^7. */
  private static final int WEIGHT_SHIFT = 7;

  private static final int SAMPLE_MASK = 15;

  /** Share of queries that were rejected recently; 2^16 means all. */
  private int refusals = ONE / 4;

  /** Approximate number of searches since queries stopped paying. */
  private int searches;

  /** Returns whether a search should query the filter. */
  boolean isWorthAsking() {
    return refusals >= REFUSALS_MIN || (searches++ & SAMPLE_MASK) == 0;
  }

  /** Records the result of a query. */
  void answered(boolean mayContain) {
    int seen = refusals;
    int next = seen + ((mayContain ? 0 : ONE) - seen >> WEIGHT_SHIFT);
    if (next != seen) {
      refusals = Math.max(0, next);
    }
  }
}
