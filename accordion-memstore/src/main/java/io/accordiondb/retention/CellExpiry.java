// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;

/**
 * Says which puts of a family have expired, beside those whose time to live has passed. Once it has
 * said so of a put, it must say so ever after. Thread-safe.
 */
public interface CellExpiry {
  /**
   * Returns whether a put has expired.
   *
   * @param buffer big-endian buffer that holds the put
   * @param offset of the put's first byte
   */
  boolean isExpired(ByteBuffer buffer, int offset, long nowMillis);

  /** Returns whether readers do not see what has expired, whether or not it was dropped. */
  boolean appliesToReads();
}
