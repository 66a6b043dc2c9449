// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.memstore.segment.merge.PrefetchingMergeCursor;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The segments that a disk flush writes, as one source of cells. The memory store keeps them
 * readable until the host has called {@link MemStore#clearSnapshot}. Immutable.
 */
public final class FlushSnapshot implements CellSource {
  private final List<Segment> segments;
  private final KeyPrefix keyPrefix;
  private final SegmentStats stats;
  private final RangeTombstones ranges;
  private final long goneUpTo;

  /**
   * Creates a snapshot.
   *
   * @param goneUpTo the sequence number up to which unlogged cells, and the cells that they
   *     displaced, have left memory; 0 if none have
   */
  FlushSnapshot(
      List<Segment> segments, RangeTombstones ranges, long goneUpTo, KeyPrefix keyPrefix) {
    this.goneUpTo = goneUpTo;
    this.segments = segments;
    this.ranges = ranges;
    this.keyPrefix = keyPrefix;
    SegmentStats sum = SegmentStats.EMPTY;
    for (Segment segment : segments) {
      sum = sum.plus(segment.stats());
    }
    this.stats = sum;
  }

  /** {@return the segments, newest first, each holding at least one cell} */
  public List<? extends CellSource> sources() {
    return segments;
  }

  /** {@return the range tombstones to be recorded with the cells} */
  public RangeTombstones rangeTombstones() {
    return ranges;
  }

  @Override
  public CellCursor cursor() {
    return new PrefetchingMergeCursor(segments, keyPrefix);
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) throws IOException {
    for (Segment segment : segments) {
      if (segment.mayContainRow(key, keyOffset)) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@return whether there is nothing to flush and nothing to record. If unlogged cells have
   * displaced logged ones, the host must record {@link #maxSequence}; otherwise a replay brings the
   * displaced cells back}
   */
  public boolean isEmpty() {
    return segments.isEmpty() && ranges.isEmpty() && goneUpTo == 0;
  }

  @Override
  public long cellCount() {
    return stats.cells();
  }

  @Override
  public long deleteMarkerCount() {
    return stats.deleteMarkers();
  }

  @Override
  public long minTimestamp() {
    return stats.minTimestamp();
  }

  @Override
  public long maxTimestamp() {
    return stats.maxTimestamp();
  }

  /** {@return the bytes of the cells without overhead} */
  public long dataBytes() {
    return stats.dataBytes();
  }

  @Override
  public long minSequence() {
    return stats.minSequence();
  }

  /** Returns the highest sequence number of cells, range tombstones, and cells that are gone. */
  @Override
  public long maxSequence() {
    return Math.max(goneUpTo, Math.max(stats.maxSequence(), ranges.maxSequence()));
  }
}
