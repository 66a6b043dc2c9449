// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The direct buffers of jumbo chunks that wait for reuse, by size. There are {@value #STEPS} sizes
 * between a power of two and the next one, so that cells of about the same length use the same
 * buffers, and at most a ninth of a buffer is unused. Not thread-safe.
 */
final class JumboChunks {
  private static final int STEPS = 8;
  private static final int STEPS_SHIFT = Integer.numberOfTrailingZeros(STEPS);

  /** The free buffers of one size. */
  private static final class Size {
    private ByteBuffer[] free = new ByteBuffer[4];
    private int freeCount;

    /** Buffers of this size that are free or may come back. */
    private int made;
  }

  private final @Nullable Size[] sizes = new Size[Integer.SIZE * STEPS];
  private long bytes;

  /**
   * Returns the size of the buffers in which that many bytes fit best.
   *
   * @param bytes more than {@value #STEPS}
   */
  static int capacity(int bytes) {
    int step = step(bytes);
    long steps = (bytes + (1L << step) - 1) >>> step;
    return (int) Math.min(Integer.MAX_VALUE, steps << step);
  }

  /** Returns the binary logarithm of the distance between sizes. */
  private static int step(int bytes) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bytes - 1) - STEPS_SHIFT;
  }

  private static int indexOf(int capacity) {
    int step = step(capacity);
    return (step << STEPS_SHIFT) + (capacity - 1 >>> step) - STEPS;
  }

  /** Returns the bytes of all free buffers. */
  long bytes() {
    return bytes;
  }

  /** Makes room for one more buffer of a size, because a return must not fail. */
  void reserve(int capacity) {
    int index = indexOf(capacity);
    Size size = sizes[index];
    if (size == null) {
      size = new Size();
      sizes[index] = size;
    }
    if (size.made == size.free.length) {
      size.free = Arrays.copyOf(size.free, 2 * size.made);
    }
    size.made++;
  }

  /** Notes that a buffer, for which there was room, will not come back. */
  void cancel(int capacity) {
    sizeOf(capacity).made--;
  }

  /**
   * Takes a buffer.
   *
   * @param capacity its size
   * @param exact whether it may not be larger; otherwise it may have up to twice that size
   * @return null if none is free
   */
  @Nullable ByteBuffer take(int capacity, boolean exact) {
    int first = indexOf(capacity);
    for (int i = first; i <= (exact ? first : Math.min(first + STEPS, sizes.length - 1)); i++) {
      Size size = sizes[i];
      if (size != null && size.freeCount > 0) {
        return take(size);
      }
    }
    return null;
  }

  private ByteBuffer take(Size size) {
    ByteBuffer taken = size.free[--size.freeCount];
    size.free[size.freeCount] = null;
    bytes -= taken.capacity();
    return taken;
  }

  /** Adds a buffer. */
  void push(ByteBuffer buffer) {
    Size size = sizeOf(buffer.capacity());
    size.free[size.freeCount++] = buffer;
    bytes += buffer.capacity();
  }

  /** Leaves one of the smallest buffers to the garbage collector, and returns its bytes. */
  int forget() {
    for (Size size : sizes) {
      if (size != null && size.freeCount > 0) {
        size.made--;
        return take(size).capacity();
      }
    }
    return 0;
  }

  private Size sizeOf(int capacity) {
    Size size = sizes[indexOf(capacity)];
    if (size == null) {
      throw new IllegalArgumentException("no room was made for " + capacity + " bytes");
    }
    return size;
  }
}
