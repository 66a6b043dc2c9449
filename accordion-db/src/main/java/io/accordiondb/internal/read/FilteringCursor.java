// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellCursor;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Iterates over some of the cells of another cursor, which it owns. Belongs to one thread. */
abstract class FilteringCursor implements CellCursor {
  final CellCursor cursor;
  private boolean valid;

  FilteringCursor(CellCursor cursor) {
    this.cursor = cursor;
  }

  /**
   * Moves the other cursor forward to a cell that this one has.
   *
   * @param stands whether it is on a cell
   * @return whether there is such a cell; the present one may be it
   */
  abstract boolean moveUp(boolean stands) throws IOException;

  /** Moves the other cursor to the last cell before a key that this one has. */
  abstract boolean moveBefore(ByteBuffer key, int keyOffset) throws IOException;

  /** Moves the other cursor to a cell, that this one has, of the last such row before a key. */
  boolean moveRowBefore(ByteBuffer key, int keyOffset) throws IOException {
    return moveBefore(key, keyOffset);
  }

  @Override
  public final boolean seekToFirst() throws IOException {
    valid = false;
    valid = moveUp(cursor.seekToFirst());
    return valid;
  }

  @Override
  public final boolean seek(ByteBuffer key, int keyOffset) throws IOException {
    valid = false;
    valid = moveUp(cursor.seek(key, keyOffset));
    return valid;
  }

  @Override
  public final boolean seekBefore(ByteBuffer key, int keyOffset) throws IOException {
    valid = false;
    valid = moveBefore(key, keyOffset);
    return valid;
  }

  @Override
  public final boolean seekRowBefore(ByteBuffer key, int keyOffset) throws IOException {
    valid = false;
    valid = moveRowBefore(key, keyOffset);
    return valid;
  }

  @Override
  public final boolean next() throws IOException {
    valid = false;
    valid = moveUp(cursor.next());
    return valid;
  }

  @Override
  public final boolean isValid() {
    return valid;
  }

  @Override
  public final ByteBuffer buffer() {
    return cursor.buffer();
  }

  @Override
  public final int offset() {
    return cursor.offset();
  }

  @Override
  public final int length() {
    return cursor.length();
  }

  @Override
  public final long sequenceNumber() {
    return cursor.sequenceNumber();
  }

  @Override
  public final void close() {
    valid = false;
    cursor.close();
  }
}
