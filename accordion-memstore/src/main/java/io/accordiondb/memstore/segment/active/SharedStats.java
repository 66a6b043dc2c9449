// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentStats;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and ranges over the cells of a segment that many threads fill. A writer adds the counts of
 * its batch after it has inserted and before its cells become visible to readers, so they cover
 * every cell that a reader may see. Thread-safe.
 */
final class SharedStats {
  private final AtomicLong cells = new AtomicLong();
  private final AtomicLong deleteMarkers = new AtomicLong();
  private final AtomicLong maxVersionMarkerTimestamp = new AtomicLong(Long.MIN_VALUE);
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
        maxVersionMarkerTimestamp.get(),
        dataBytes.get(),
        minTimestamp.get(),
        maxTimestamp.get(),
        minSequence.get(),
        maxSequence.get());
  }

  /** Returns the number of cells. */
  long cells() {
    return cells.get();
  }

  /** Returns the number of cells that hide others, as {@link SegmentStats} counts them. */
  long deleteMarkers() {
    return deleteMarkers.get();
  }

  /** Returns the lowest timestamp, {@link Long#MAX_VALUE} without cells. */
  long minTimestamp() {
    return minTimestamp.get();
  }

  /** Returns the highest timestamp, {@link Long#MIN_VALUE} without cells. */
  long maxTimestamp() {
    return maxTimestamp.get();
  }

  /** Returns the highest sequence number, 0 without cells. */
  long maxSequence() {
    return maxSequence.get();
  }

  /** Returns the bytes of the cells without overhead. */
  long dataBytes() {
    return dataBytes.get();
  }

  /** Returns the lowest sequence number, {@link Long#MAX_VALUE} without cells. */
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
      raise(maxVersionMarkerTimestamp, added.maxVersionMarkerTimestamp());
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
