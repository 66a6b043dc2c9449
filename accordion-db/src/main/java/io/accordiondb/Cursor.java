// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A position among the keys, or rows, of a table, which moves in both directions. A cursor sees the
 * database as of the moment at which it was made or last refreshed, or as of a snapshot; in a
 * transaction, without the writes that were rolled back since ({@link Transaction#rollbackTo}). Not
 * thread-safe. In a {@link Transaction} that is {@link Isolation#SERIALIZABLE} all keys within its
 * bounds count as read.
 *
 * <p>Methods that move the cursor return whether it is on a key afterwards. A new cursor is not on
 * a key, nor is one that was moved beyond the first or the last key within its bounds.
 *
 * <p>Close a cursor after use: like a {@link ResultScanner} it holds memory and files. When the
 * cursor or the database is closed, every other method throws {@link ClosedException}. If a move
 * fails, the cursor is not on a key, and further moves fail until it is refreshed.
 */
public interface Cursor extends Closeable {
  /**
   * Moves to the first key.
   *
   * @return whether the cursor is on a key afterwards
   * @throws IOException if the storage fails
   */
  boolean first() throws IOException;

  /**
   * Moves to the last key.
   *
   * @return whether the cursor is on a key afterwards
   * @throws IOException if the storage fails
   */
  boolean last() throws IOException;

  /**
   * Moves to a key or, if it does not exist, to the next higher one.
   *
   * @param key the key, of any length
   * @return whether the cursor is on a key afterwards
   * @throws IOException if the storage fails
   */
  boolean seek(byte[] key) throws IOException;

  /**
   * Moves to a key or, if it does not exist, to the next lower one.
   *
   * @param key the key, of any length
   * @return whether the cursor is on a key afterwards
   * @throws IOException if the storage fails
   */
  boolean seekBackward(byte[] key) throws IOException;

  /**
   * Moves to the next key.
   *
   * @return whether the cursor is on a key afterwards
   * @throws IllegalStateException if the cursor is not on a key
   * @throws IOException if the storage fails
   */
  boolean next() throws IOException;

  /**
   * Moves to the previous key.
   *
   * @return whether the cursor is on a key afterwards
   * @throws IllegalStateException if the cursor is not on a key
   * @throws IOException if the storage fails
   */
  boolean previous() throws IOException;

  /**
   * Moves the cursor's view to the present, unless it is a cursor of a snapshot, which may be
   * closed by now. The cursor stays on its key; if that no longer exists, it moves to the next
   * higher one.
   *
   * @return whether the cursor is on a key afterwards
   * @throws IOException if the storage fails
   */
  boolean refresh() throws IOException;

  /** {@return whether the cursor is on a key} */
  boolean isValid();

  /**
   * {@return the key as a read-only view} Do not use it after the cursor has moved or has been
   * closed: its bytes may have changed.
   *
   * @throws IllegalStateException if the cursor is not on a key
   */
  ByteBuffer key();

  /**
   * {@return a copy of the key}
   *
   * @throws IllegalStateException if the cursor is not on a key
   */
  byte[] keyBytes();

  /** Releases the memory and files that the cursor holds. Idempotent. */
  @Override
  void close();
}
