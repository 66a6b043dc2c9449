// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocates direct memory for a block cache until the process has none left. Then it lets go of a
 * reserve and allocates no more: reading and writing files needs some direct memory as well, and
 * fails without it, while a cache can keep to what it has. Not thread-safe.
 */
final class DirectReserve {
  private static final Logger LOG = LoggerFactory.getLogger(DirectReserve.class);

  private static final int BYTES_MAX = 2 << 20;

  /** The reserve is at most one byte in this many of the cache. */
  private static final int SHARE = 4;

  private final int reserveBytes;
  private @Nullable ByteBuffer reserve;
  private boolean isOut;

  /**
   * Creates a reserve, which takes no memory before the first allocation.
   *
   * @param cacheBytes bytes that the cache may take
   */
  DirectReserve(long cacheBytes) {
    reserveBytes = (int) Math.min(BYTES_MAX, cacheBytes / SHARE);
  }

  /** Returns whether the process has had no direct memory left. */
  boolean isOut() {
    return isOut;
  }

  /** Returns direct memory, or null if the process has none left. */
  @Nullable ByteBuffer allocate(int bytes) {
    if (isOut) {
      return null;
    }
    try {
      if (reserve == null) {
        reserve = ByteBuffer.allocateDirect(reserveBytes);
      }
      return ByteBuffer.allocateDirect(bytes);
    } catch (OutOfMemoryError e) {
      isOut = true;
      reserve = null;
      LOG.warn(
          "no direct memory is left: the block cache keeps to what it has; raise"
              + " -XX:MaxDirectMemorySize or lower blockCacheBytes");
      return null;
    }
  }
}
