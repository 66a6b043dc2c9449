// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.encoding.CellSource;

/**
 * Sorted cells in memory. Reading is lock-free and safe for many threads.
 *
 * <p>A segment is reference-counted. It starts with one holder, and each {@code SegmentList} that
 * contains it is another holder; the last call of {@link #release} frees its memory. A cursor does
 * not count as a holder: the reader holds the list.
 */
public sealed interface Segment extends CellSource permits MutableSegment, ImmutableSegment {
  @Override
  PrefixCursor cursor();

  /** Returns the bytes of the cells themselves, without index and other overhead. */
  default long dataBytes() {
    return stats().dataBytes();
  }

  /** Returns all memory that the segment holds, in bytes, as it was charged. */
  long heldBytes();

  /** Returns the part of {@link #heldBytes} that is on the Java heap. */
  long heapBytes();

  /** Returns the part of {@link #heldBytes} that is not the memory of cells, in bytes. */
  long indexBytes();

  /** Returns counts and ranges; of a mutable segment, those at this moment. */
  SegmentStats stats();

  @Override
  default long cellCount() {
    return stats().cells();
  }

  @Override
  default long deleteMarkerCount() {
    return stats().deleteMarkers();
  }

  @Override
  default long maxVersionMarkerTimestamp() {
    return stats().maxVersionMarkerTimestamp();
  }

  @Override
  default long minTimestamp() {
    return stats().minTimestamp();
  }

  @Override
  default long maxTimestamp() {
    return stats().maxTimestamp();
  }

  @Override
  default long minSequence() {
    return stats().minSequence();
  }

  @Override
  default long maxSequence() {
    return stats().maxSequence();
  }

  /** Adds a holder. The caller knows of another holder that stays during the call. */
  void retain();

  /** Removes a holder. The last call frees the memory. */
  void release();
}
