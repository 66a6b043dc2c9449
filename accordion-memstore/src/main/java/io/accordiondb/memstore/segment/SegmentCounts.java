// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/** Computes {@link SegmentStats} cell by cell. Belongs to one thread at a time. */
public final class SegmentCounts {
  private long cells;
  private long deleteMarkers;
  private long maxVersionMarkerTimestamp;
  private long dataBytes;
  private long minTimestamp;
  private long maxTimestamp;
  private long minSequence;
  private long maxSequence;

  /** Creates counts that are zero. */
  public SegmentCounts() {
    clear();
  }

  /** Forgets all cells. */
  public void clear() {
    cells = 0;
    deleteMarkers = 0;
    maxVersionMarkerTimestamp = Long.MIN_VALUE;
    dataBytes = 0;
    minTimestamp = Long.MAX_VALUE;
    maxTimestamp = Long.MIN_VALUE;
    minSequence = Long.MAX_VALUE;
    maxSequence = 0;
  }

  /** Counts a cell. */
  public void add(ByteBuffer buffer, int offset, int length, long sequence) {
    cells++;
    dataBytes += length;
    long timestamp = KeyValueLayout.timestamp(buffer, offset);
    int typeCode = KeyValueLayout.typeCode(buffer, offset);
    if (typeCode != CellType.PUT.code() || CellTags.hasTtl(buffer, offset, length)) {
      deleteMarkers++;
      if (typeCode == CellType.DELETE.code() || typeCode == CellType.DELETE_FAMILY_VERSION.code()) {
        maxVersionMarkerTimestamp = Math.max(maxVersionMarkerTimestamp, timestamp);
      }
    }
    minTimestamp = Math.min(minTimestamp, timestamp);
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    minSequence = Math.min(minSequence, sequence);
    maxSequence = Math.max(maxSequence, sequence);
  }

  /** Counts a cell that replaces one that was shorter by a number of bytes. */
  public void resize(int moreBytes) {
    dataBytes += moreBytes;
  }

  /** Counts a put that became a marker because it was replaced by one with a time to live. */
  public void addMarker() {
    deleteMarkers++;
  }

  /** Returns what was counted. */
  public SegmentStats stats() {
    return new SegmentStats(
        cells,
        deleteMarkers,
        maxVersionMarkerTimestamp,
        dataBytes,
        minTimestamp,
        maxTimestamp,
        minSequence,
        maxSequence);
  }
}
