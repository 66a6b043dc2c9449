// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The state of the ADAPTIVE policy between two disk flushes (section 3.2 of the paper): the
 * throttle t and the uniqueness u. Thread-safe; a caller that needs several values of the same
 * moment synchronizes on the object.
 *
 * <p>The paper sets u to zero at first "and so the first in-memory compaction does not employ
 * data-merge", but a u of zero means that all cells are redundant, which would trigger a data
 * merge. Here u is unknown until a merge has measured it, and becomes unknown again at a disk
 * flush, because the segments on which it was measured are gone. A compaction also measures u, on
 * the cells that it reads.
 */
final class AdaptiveState {
  private static final double THROTTLE_INITIAL = 0.5;
  private static final double THROTTLE_GROWTH = 1.02;

  @GuardedBy("this")
  private double throttle = THROTTLE_INITIAL;

  @GuardedBy("this")
  private double uniqueness = Double.NaN;

  @GuardedBy("this")
  private long dropped;

  synchronized void onInMemoryFlush() {
    throttle = Math.min(1, throttle * THROTTLE_GROWTH);
  }

  synchronized void onDiskFlush() {
    throttle = THROTTLE_INITIAL;
    uniqueness = Double.NaN;
    dropped = 0;
  }

  /** Counts cells that were dropped before they could be merged. */
  synchronized void onDropped(long cells) {
    dropped += cells;
  }

  /** Measures u. Cells dropped since the last merge count as read. */
  synchronized void onMerge(long columns, long cells) {
    uniqueness = (double) columns / (cells + dropped);
    dropped = 0;
  }

  /** Returns t, which grows with the data in memory: 0.5 to 1. */
  synchronized double throttle() {
    return throttle;
  }

  /** Returns u, the share of different columns among the cells merged last; NaN when unknown. */
  synchronized double uniqueness() {
    return uniqueness;
  }

  /**
   * Returns whether to drop redundant cells now.
   *
   * @param redundancyThreshold R
   * @param draw a random number from 0 to 1
   */
  synchronized boolean shouldCompact(double redundancyThreshold, double draw) {
    // Comparisons with NaN are false: without a measurement there is no compaction.
    return 1 - uniqueness > redundancyThreshold && draw < throttle;
  }
}
