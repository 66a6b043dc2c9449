// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A place among the keys, or rows, of a table, which moves in both directions. It sees the moment
 * at which it was made, or last refreshed, or that of a snapshot. Not thread-safe. In a {@link
 * Transaction} that is {@link Isolation#SERIALIZABLE} all keys within its bounds count as read.
 *
 * <p>Methods that move return whether the cursor then stands on a key. A new cursor stands on none,
 * nor does one that was moved beyond the last or the first key within its bounds.
 *
 * <p>Close it: like a {@link ResultScanner} it keeps memory and files. Once it has been closed, or
 * the database, every other method throws {@link ClosedException}. If moving fails, the cursor
 * stands nowhere, and further moves fail until it is refreshed.
 */
public interface Cursor extends Closeable {
  /** Moves to the first key. */
  boolean first() throws IOException;

  /** Moves to the last key. */
  boolean last() throws IOException;

  /** Moves to a key, or else to the next one above it. */
  boolean seek(byte[] key) throws IOException;

  /** Moves to a key, or else to the next one below it. */
  boolean seekBackward(byte[] key) throws IOException;

  /**
   * Moves to the next key.
   *
   * @throws IllegalStateException if the cursor stands on no key
   */
  boolean next() throws IOException;

  /**
   * Moves to the key before.
   *
   * @throws IllegalStateException if the cursor stands on no key
   */
  boolean previous() throws IOException;

  /**
   * Sees what has been written since, unless it is a cursor of a snapshot. It stays on its key; if
   * that has gone, it moves to the next one above.
   */
  boolean refresh() throws IOException;

  /** Returns whether the cursor stands on a key. */
  boolean isValid();

  /**
   * Returns the key as a read-only view.
   *
   * @throws IllegalStateException if the cursor stands on no key
   */
  ByteBuffer key();

  /**
   * Returns the key in an array of the caller's own.
   *
   * @throws IllegalStateException if the cursor stands on no key
   */
  byte[] keyBytes();

  /** Gives back what the cursor keeps. Idempotent. */
  @Override
  void close();
}
