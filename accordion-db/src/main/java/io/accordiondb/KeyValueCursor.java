// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.nio.ByteBuffer;

/**
 * A cursor over keys and values:
 *
 * <pre>{@code
 * try (KeyValueCursor cursor = store.cursor()) {
 *   for (boolean stands = cursor.seek(from); stands; stands = cursor.next()) {
 *     process(cursor.key(), cursor.value());
 *   }
 * }
 * }</pre>
 *
 * <p>A cursor costs less than a {@link KeyValueIterator}, because it copies values only on request.
 */
public interface KeyValueCursor extends Cursor {
  /**
   * {@return the value as a read-only view} Do not use it after the cursor has moved or has been
   * closed: its bytes may have changed.
   *
   * @throws IllegalStateException if the cursor is not on a key
   */
  ByteBuffer value();

  /**
   * {@return a copy of the value}
   *
   * @throws IllegalStateException if the cursor is not on a key
   */
  byte[] valueBytes();

  /**
   * Copies the value to a buffer's position, as far as the buffer has room, and advances the
   * position.
   *
   * @param target receives the value
   * @return the length of the value in bytes, which may be more than was copied
   * @throws IllegalStateException if the cursor is not on a key
   */
  int copyValue(ByteBuffer target);
}
