// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.cell.CellSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What one reader sees of a memory store: its segments at one moment, which stay in memory until
 * the view is closed. Cells above the reader's sequence number are the reader's to skip.
 *
 * <p>Cursors of the sources must not be used after {@link #close}.
 */
public final class MemStoreView implements AutoCloseable {
  private final SegmentList segments;
  private final AtomicBoolean closed = new AtomicBoolean();

  MemStoreView(SegmentList segments) {
    this.segments = segments;
  }

  /** Returns the segments, newest first; among them empty ones. */
  public List<? extends CellSource> sources() {
    return segments.all();
  }

  /** Lets the segments go. Idempotent. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      segments.release();
    }
  }
}
