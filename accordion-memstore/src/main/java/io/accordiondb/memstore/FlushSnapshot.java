// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.cell.CellCursor;
import io.accordiondb.cell.CellSource;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MergedCursor;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentStats;
import java.util.List;

/**
 * The segments that a disk flush writes. The memory store keeps them readable until the host has
 * called {@link MemStore#clearSnapshot}. Immutable.
 */
public final class FlushSnapshot {
  private final List<Segment> segments;
  private final KeyPrefix keyPrefix;
  private final SegmentStats stats;

  FlushSnapshot(List<Segment> segments, KeyPrefix keyPrefix) {
    this.segments = segments;
    this.keyPrefix = keyPrefix;
    SegmentStats sum = SegmentStats.EMPTY;
    for (Segment segment : segments) {
      sum = sum.plus(segment.stats());
    }
    this.stats = sum;
  }

  /** Returns the segments, newest first, each holding at least one cell. */
  public List<? extends CellSource> sources() {
    return segments;
  }

  /** Returns a cursor over all cells in one sorted sequence, standing on none. */
  public CellCursor cursor() {
    return new MergedCursor(segments, keyPrefix);
  }

  /** Returns whether there is nothing to flush. */
  public boolean isEmpty() {
    return segments.isEmpty();
  }

  /** Returns the number of cells. */
  public long cells() {
    return stats.cells();
  }

  /** Returns the bytes of the cells without overhead. */
  public long dataBytes() {
    return stats.dataBytes();
  }

  /** Returns the lowest sequence number; {@link Long#MAX_VALUE} without cells. */
  public long minSequence() {
    return stats.minSequence();
  }

  /** Returns the highest sequence number; 0 without cells. */
  public long maxSequence() {
    return stats.maxSequence();
  }
}
