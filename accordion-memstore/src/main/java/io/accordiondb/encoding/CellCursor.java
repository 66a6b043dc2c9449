// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Iterates over sorted cells. A new cursor is on no cell; {@link #seekToFirst}, {@link #seek} and
 * {@link #seekBefore} position it. A cursor belongs to one thread.
 *
 * <p>{@link #buffer} and {@link #offset} give the bytes of the current cell. The bytes stay valid
 * and unchanged until the cursor moves or is closed; a caller that needs them longer must copy
 * them.
 */
public interface CellCursor extends Closeable {
  /**
   * Moves to the first cell.
   *
   * @return whether there is one
   * @throws IOException if the storage fails
   */
  boolean seekToFirst() throws IOException;

  /**
   * Moves to the first cell at or after a key.
   *
   * @param key a serialised cell with the wanted key (its value is not read), with a sequence
   *     number of {@link Long#MAX_VALUE}, so that all cells of an equal key come at or after it
   * @param keyOffset offset of the key's first byte, in bytes
   * @return whether there is one
   * @throws IOException if the storage fails
   */
  boolean seek(ByteBuffer key, int keyOffset) throws IOException;

  /**
   * Moves to the last cell before a key, in the order that {@link #seek} uses.
   *
   * @param key a serialised cell with the wanted key; its value is not read
   * @param keyOffset offset of the key's first byte, in bytes
   * @return whether there is one
   * @throws IOException if the storage fails
   */
  boolean seekBefore(ByteBuffer key, int keyOffset) throws IOException;

  /**
   * Moves to a cell of the last row that has one before a key; the last such cell, unless the
   * cursor finds another one faster.
   *
   * @param key a serialised cell with the wanted key; its value is not read
   * @param keyOffset offset of the key's first byte, in bytes
   * @return whether there is one
   * @throws IOException if the storage fails
   */
  default boolean seekRowBefore(ByteBuffer key, int keyOffset) throws IOException {
    return seekBefore(key, keyOffset);
  }

  /**
   * {@return whether the current cell is known to be the first of its row in this source, so that
   * {@link #previous} can leave it} False means that the cursor cannot tell without moving.
   *
   * @throws IOException if the storage fails
   */
  default boolean startsRow() throws IOException {
    return false;
  }

  /**
   * Moves from the first cell of a row, which {@link #startsRow} has shown, to the cell before it.
   *
   * @return whether there is one
   * @throws IOException if the storage fails
   */
  default boolean previous() throws IOException {
    throw new IllegalStateException("the cursor does not know the cell before its row");
  }

  /**
   * Moves to the next cell. The cursor must be on a cell.
   *
   * @return whether there is a next cell
   * @throws IOException if the storage fails
   */
  boolean next() throws IOException;

  /** {@return whether the cursor is on a cell} */
  boolean isValid();

  /**
   * {@return the big-endian buffer that holds the current cell} The caller must not change it, its
   * position or its limit.
   */
  ByteBuffer buffer();

  /** {@return the offset of the current cell in {@link #buffer}} */
  int offset();

  /** {@return the length in bytes of the current cell, tags included} */
  int length();

  /** {@return the sequence number of the current cell} */
  long sequenceNumber();

  /** Releases the resources of the cursor. Idempotent. */
  @Override
  void close();
}
