// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentStats;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and ranges over the cells of a segment that many threads fill. A writer adds the counts of
 * its batch after it has inserted and before its cells become visible to readers, so they cover
 * every cell that a reader may see.
 */
final class SharedStats {
  private final AtomicLong cells = new AtomicLong();
  private final AtomicLong deleteMarkers = new AtomicLong();
  private final AtomicLong dataBytes = new AtomicLong();
  private final AtomicLong minTimestamp = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong maxTimestamp = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong minSequence = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong maxSequence = new AtomicLong();

  /** Returns the sums. They are consistent only while no writer adds. */
  SegmentStats get() {
    return new SegmentStats(
        cells.get(),
        deleteMarkers.get(),
        dataBytes.get(),
        minTimestamp.get(),
        maxTimestamp.get(),
        minSequence.get(),
        maxSequence.get());
  }

  long cells() {
    return cells.get();
  }

  long deleteMarkers() {
    return deleteMarkers.get();
  }

  long minTimestamp() {
    return minTimestamp.get();
  }

  long maxTimestamp() {
    return maxTimestamp.get();
  }

  long maxSequence() {
    return maxSequence.get();
  }

  long dataBytes() {
    return dataBytes.get();
  }

  long minSequence() {
    return minSequence.get();
  }

  /** Adds the counts of a batch and returns the new sum of bytes. */
  long add(SegmentCounts batch) {
    SegmentStats added = batch.stats();
    lower(minTimestamp, added.minTimestamp());
    raise(maxTimestamp, added.maxTimestamp());
    lower(minSequence, added.minSequence());
    raise(maxSequence, added.maxSequence());
    if (added.deleteMarkers() > 0) {
      deleteMarkers.addAndGet(added.deleteMarkers());
    }
    cells.addAndGet(added.cells());
    return dataBytes.addAndGet(added.dataBytes());
  }

  private static void lower(AtomicLong bound, long value) {
    long seen = bound.get();
    while (value < seen && !bound.compareAndSet(seen, value)) {
      seen = bound.get();
    }
  }

  private static void raise(AtomicLong bound, long value) {
    long seen = bound.get();
    while (value > seen && !bound.compareAndSet(seen, value)) {
      seen = bound.get();
    }
  }
}
