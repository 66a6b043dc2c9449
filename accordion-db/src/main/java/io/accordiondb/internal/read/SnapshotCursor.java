// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellCursor;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Iterates over the cells of another cursor up to a sequence number, for a merge with pending
 * cells, whose numbers are higher. Belongs to one thread.
 */
final class SnapshotCursor extends FilteringCursor {
  private final long sequenceMax;

  /** Creates a cursor that owns another one. */
  SnapshotCursor(CellCursor cursor, long sequenceMax) {
    super(cursor);
    this.sequenceMax = sequenceMax;
  }

  @Override
  boolean moveUp(boolean stands) throws IOException {
    boolean found = stands;
    while (found && cursor.sequenceNumber() > sequenceMax) {
      found = cursor.next();
    }
    return found;
  }

  @Override
  boolean moveBefore(ByteBuffer key, int keyOffset) throws IOException {
    boolean found = cursor.seekBefore(key, keyOffset);
    // Among cells with the same key, it finds the oldest first, so all cells of the key can be
    // skipped.
    while (found && cursor.sequenceNumber() > sequenceMax) {
      byte[] cell = new byte[cursor.length()];
      cursor.buffer().get(cursor.offset(), cell);
      found = cursor.seekBefore(ByteBuffer.wrap(cell), 0);
    }
    return found;
  }
}
