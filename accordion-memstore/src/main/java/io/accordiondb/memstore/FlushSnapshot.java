// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.cell.CellSource;
import io.accordiondb.memstore.segment.Segment;
import java.util.List;

/**
 * The segments that a disk flush writes, newest first. The memory store keeps them readable until
 * the host has called {@link MemStore#clearSnapshot}.
 *
 * @param sources the segments, each holding at least one cell
 * @param cells number of cells
 * @param dataBytes bytes of cells without overhead
 * @param minSequence lowest sequence number
 * @param maxSequence highest sequence number
 */
public record FlushSnapshot(
    List<? extends CellSource> sources,
    long cells,
    long dataBytes,
    long minSequence,
    long maxSequence) {

  static FlushSnapshot of(List<Segment> segments) {
    long cells = 0;
    long dataBytes = 0;
    long minSequence = Long.MAX_VALUE;
    long maxSequence = 0;
    for (Segment segment : segments) {
      cells += segment.cellCount();
      dataBytes += segment.dataBytes();
      minSequence = Math.min(minSequence, segment.minSequence());
      maxSequence = Math.max(maxSequence, segment.maxSequence());
    }
    return new FlushSnapshot(segments, cells, dataBytes, minSequence, maxSequence);
  }

  /** Returns whether there is nothing to flush. */
  public boolean isEmpty() {
    return sources.isEmpty();
  }
}
