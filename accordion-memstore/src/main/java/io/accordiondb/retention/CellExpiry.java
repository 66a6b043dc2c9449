// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which puts of a family have expired, in addition to those whose time to live has passed.
 * Once a put has expired, it must stay expired. Thread-safe.
 */
public interface CellExpiry {
  /** Returns the name under which the family asks for it. */
  String name();

  /**
   * Returns whether a put has expired.
   *
   * @param buffer big-endian buffer that holds the put
   * @param offset of the put's first byte in {@code buffer}
   */
  boolean isExpired(ByteBuffer buffer, int offset, long nowMillis);

  /**
   * Returns what tells readers which puts they must not see, and throws where it cannot; null if
   * they see what has expired until it is dropped.
   */
  @Nullable CellExpiry forReads();
}
