// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.internal.read.PendingCells.Position;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** Iterates over pending cells up to a sequence number. Belongs to one thread. */
final class PendingCursor implements CellCursor {
  private final NavigableSet<Position> cells;
  private final long sequenceMax;
  private @Nullable Position at;

  PendingCursor(NavigableSet<Position> cells, long sequenceMax) {
    this.cells = cells;
    this.sequenceMax = sequenceMax;
  }

  @Override
  public boolean seekToFirst() {
    return moveUp(cells.isEmpty() ? null : cells.first());
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) {
    return moveUp(cells.ceiling(new Position(key, keyOffset, Long.MAX_VALUE, false)));
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) {
    at = cells.lower(new Position(key, keyOffset, Long.MAX_VALUE, false));
    while (at != null && at.sequence() > sequenceMax) {
      at = cells.lower(at);
    }
    return at != null;
  }

  @Override
  public boolean next() {
    return moveUp(cells.higher(current()));
  }

  private boolean moveUp(@Nullable Position from) {
    at = from;
    while (at != null && at.sequence() > sequenceMax) {
      at = cells.higher(at);
    }
    return at != null;
  }

  @Override
  public boolean isValid() {
    return at != null;
  }

  @Override
  public ByteBuffer buffer() {
    return current().buffer();
  }

  @Override
  public int offset() {
    return 0;
  }

  @Override
  public int length() {
    return buffer().capacity();
  }

  @Override
  public long sequenceNumber() {
    return current().sequence();
  }

  private Position current() {
    Position current = at;
    if (current == null) {
      throw new IllegalStateException("the cursor stands on no cell");
    }
    return current;
  }

  @Override
  public void close() {
    at = null;
  }
}
