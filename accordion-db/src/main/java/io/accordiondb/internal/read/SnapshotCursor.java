// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellCursor;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Iterates over the cells of another cursor up to a sequence number, for a merge with pending
 * cells, whose numbers are higher. Belongs to one thread.
 */
final class SnapshotCursor implements CellCursor {
  private final CellCursor cursor;
  private final long sequenceMax;
  private boolean valid;

  /** Creates a cursor that owns another one. */
  SnapshotCursor(CellCursor cursor, long sequenceMax) {
    this.cursor = cursor;
    this.sequenceMax = sequenceMax;
  }

  @Override
  public boolean seekToFirst() throws IOException {
    return moveUp(cursor.seekToFirst());
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) throws IOException {
    return moveUp(cursor.seek(key, keyOffset));
  }

  @Override
  public boolean next() throws IOException {
    return moveUp(cursor.next());
  }

  private boolean moveUp(boolean stands) throws IOException {
    valid = false;
    boolean found = stands;
    while (found && cursor.sequenceNumber() > sequenceMax) {
      found = cursor.next();
    }
    valid = found;
    return found;
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) throws IOException {
    valid = false;
    boolean found = cursor.seekBefore(key, keyOffset);
    // Among cells with the same key, it finds the oldest first, so all cells of the key can be
    // skipped.
    while (found && cursor.sequenceNumber() > sequenceMax) {
      byte[] cell = new byte[cursor.length()];
      cursor.buffer().get(cursor.offset(), cell);
      found = cursor.seekBefore(ByteBuffer.wrap(cell), 0);
    }
    valid = found;
    return found;
  }

  @Override
  public boolean isValid() {
    return valid;
  }

  @Override
  public ByteBuffer buffer() {
    return cursor.buffer();
  }

  @Override
  public int offset() {
    return cursor.offset();
  }

  @Override
  public int length() {
    return cursor.length();
  }

  @Override
  public long sequenceNumber() {
    return cursor.sequenceNumber();
  }

  @Override
  public void close() {
    valid = false;
    cursor.close();
  }
}
