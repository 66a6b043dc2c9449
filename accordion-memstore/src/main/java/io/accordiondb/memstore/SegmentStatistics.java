// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.memstore.segment.array.ArraySegment;

/**
 * One segment of a memory store at one moment. Immutable.
 *
 * @param kind its form
 * @param cells cells in it, delete markers included
 * @param dataBytes bytes of the cells themselves
 * @param heldBytes bytes of memory that it holds, for cells and index; merged segments may share
 *     memory
 * @param indexBytes the part of {@code heldBytes} that the index takes
 * @param minSequence lowest sequence number; {@link Long#MAX_VALUE} without cells
 * @param maxSequence highest sequence number; 0 without cells
 */
public record SegmentStatistics(
    SegmentKind kind,
    long cells,
    long dataBytes,
    long heldBytes,
    long indexBytes,
    long minSequence,
    long maxSequence) {

  /** Returns a segment's figures; the caller holds the segment. */
  static SegmentStatistics of(Segment segment, SegmentKind kind) {
    SegmentStats stats = segment.stats();
    return new SegmentStatistics(
        kind,
        stats.cells(),
        stats.dataBytes(),
        segment.heldBytes(),
        segment.indexBytes(),
        stats.minSequence(),
        stats.maxSequence());
  }

  /** Returns the figures of a segment that takes no more writes; the caller holds it. */
  static SegmentStatistics ofSealed(Segment segment) {
    SegmentKind flat = segment instanceof ArraySegment ? SegmentKind.ARRAY : SegmentKind.CHUNK;
    return of(segment, segment instanceof MutableSegment ? SegmentKind.SEALED : flat);
  }
}
