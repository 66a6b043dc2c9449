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
 * <p>It costs less than a {@link KeyValueIterator}, because values are not copied unless asked for.
 */
public interface KeyValueCursor extends Cursor {
  /**
   * Returns the value as a read-only view, which must not be used once the cursor has moved or has
   * been closed: its bytes may be others by then.
   *
   * @throws IllegalStateException if the cursor stands on no key
   */
  ByteBuffer value();

  /**
   * Returns the value in an array of the caller's own.
   *
   * @throws IllegalStateException if the cursor stands on no key
   */
  byte[] valueBytes();

  /**
   * Copies the value to the position of a buffer, as far as it has room, and moves its position.
   *
   * @return the length of the value in bytes, which may be more than was copied
   * @throws IllegalStateException if the cursor stands on no key
   */
  int copyValue(ByteBuffer target);
}
