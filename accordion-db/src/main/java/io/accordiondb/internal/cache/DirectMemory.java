// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Allocates direct memory for a cache until the process has none left. Thread-safe. */
final class DirectMemory {
  private static final Logger LOG = LoggerFactory.getLogger(DirectMemory.class);

  private final IntFunction<ByteBuffer> allocator;
  private final Runnable giveBack;
  private final AtomicBoolean isOut = new AtomicBoolean();

  /**
   * Creates an allocator.
   *
   * @param allocator allocates a number of bytes, or throws an {@link OutOfMemoryError}
   * @param giveBack releases some of the cache's memory; called once direct memory has run out
   */
  DirectMemory(IntFunction<ByteBuffer> allocator, Runnable giveBack) {
    this.allocator = allocator;
    this.giveBack = giveBack;
  }

  /** Returns whether direct memory has run out. */
  boolean isOut() {
    return isOut.get();
  }

  /** Allocates again, even if direct memory has run out. */
  void retry() {
    isOut.set(false);
  }

  /** Returns direct memory, or null if the process has none left. */
  @Nullable ByteBuffer allocate(int bytes) {
    if (isOut()) {
      return null;
    }
    try {
      return allocator.apply(bytes);
    } catch (OutOfMemoryError e) {
      hasRunOut();
      return null;
    }
  }

  private void hasRunOut() {
    if (isOut.compareAndSet(false, true)) {
      giveBack.run();
      LOG.warn(
          "no direct memory is left: the block cache has given some of its memory back and does"
              + " not grow any more; raise -XX:MaxDirectMemorySize, or lower memoryBytes or"
              + " blockCacheBytes");
    }
  }
}
