// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps buffers between reads, as many as threads have used at a time, up to a number. Thread-safe
 * and free of locks; threads look for a buffer at places of their own first.
 */
final class BufferPool {
  private static final int PLACES = 256;

  /** Places that a thread looks at. */
  private static final int TRIES = 16;

  /** A larger buffer is left to the garbage collector. */
  private static final int BUFFER_BYTES_MAX = 64 << 10;

  private final AtomicReferenceArray<@Nullable BlockBuffer> places =
      new AtomicReferenceArray<>(PLACES);

  /** Returns a buffer, which is the caller's until it gives it back. */
  BlockBuffer take() {
    int first = firstPlace();
    for (int i = 0; i < TRIES; i++) {
      int place = first + i & PLACES - 1;
      if (places.getPlain(place) != null) {
        BlockBuffer buffer = places.getAndSet(place, null);
        if (buffer != null) {
          return buffer;
        }
      }
    }
    return new BlockBuffer();
  }

  /** Takes a buffer back, which the caller no longer uses. */
  void giveBack(BlockBuffer buffer) {
    if (buffer.capacity() > BUFFER_BYTES_MAX) {
      return;
    }
    int first = firstPlace();
    for (int i = 0; i < TRIES; i++) {
      int place = first + i & PLACES - 1;
      if (places.getPlain(place) == null && places.compareAndSet(place, null, buffer)) {
        return;
      }
    }
  }

  private static int firstPlace() {
    return (int) Thread.currentThread().getId() * TRIES;
  }
}
