// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which puts of a family have expired, in addition to those whose time to live has passed.
 * Once a put has expired, it must stay expired. Thread-safe.
 */
public interface CellExpiry {
  /** {@return the name by which families refer to this} */
  String name();

  /**
   * {@return whether a put has expired}
   *
   * @param buffer big-endian buffer that holds the put
   * @param offset of the put's first byte in {@code buffer}
   * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970
   */
  boolean isExpired(ByteBuffer buffer, int offset, long nowMillis);

  /**
   * {@return what decides which puts readers must not see, or null if readers see expired puts
   * until a compaction drops them} What is returned may throw if it cannot decide.
   */
  @Nullable CellExpiry forReads();
}
