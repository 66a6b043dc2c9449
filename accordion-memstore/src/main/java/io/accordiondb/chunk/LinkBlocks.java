// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a {@link ChunkPool} in which skip lists keep their links. Those that were returned
 * wait for reuse, up to a number; the rest is left to the garbage collector. Thread-safe.
 */
final class LinkBlocks {
  @GuardedBy("this")
  private int freeMax;

  @GuardedBy("this")
  private int[][] free = new int[16][];

  @GuardedBy("this")
  private int freeCount;

  @GuardedBy("this")
  private int made;

  /** Sets how many blocks wait for reuse at most, and forgets those beyond. */
  synchronized void setFreeMax(int blocks) {
    freeMax = blocks;
    while (freeCount > freeMax) {
      free[--freeCount] = null;
      made--;
    }
  }

  /** Returns how many blocks wait for reuse. */
  synchronized int freeCount() {
    return freeCount;
  }

  /** Returns a block of any content. */
  int[] take() {
    int[] block = takeFree();
    if (block == null) {
      block = new int[ChunkPool.LINK_BLOCK_INTS];
      countMade();
    }
    return block;
  }

  /** Makes room for the return of one more block, because a return must not fail. */
  private synchronized void countMade() {
    if (made == free.length) {
      free = Arrays.copyOf(free, 2 * made);
    }
    made++;
  }

  private synchronized int @Nullable [] takeFree() {
    if (freeCount == 0) {
      return null;
    }
    int[] block = free[--freeCount];
    free[freeCount] = null;
    return block;
  }

  /** Returns a block, which waits for reuse if there is a place for it. */
  synchronized void giveBack(int[] block) {
    if (freeCount < freeMax) {
      free[freeCount++] = block;
    } else {
      made--;
    }
  }
}
