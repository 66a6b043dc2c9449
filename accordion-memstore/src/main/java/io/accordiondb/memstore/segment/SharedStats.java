// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts and ranges over the cells of a segment that many threads fill. A writer adds what it has
 * gathered after it has inserted and before its cells become visible to readers, so they cover all
 * that a reader may see.
 */
final class SharedStats {
  private final AtomicReference<SegmentStats> sum = new AtomicReference<>(SegmentStats.EMPTY);

  SegmentStats get() {
    return Objects.requireNonNull(sum.get());
  }

  /** Adds those of a batch and returns the new sum. */
  SegmentStats add(SegmentCounts batch) {
    return sum.accumulateAndGet(batch.stats(), SegmentStats::plus);
  }
}
