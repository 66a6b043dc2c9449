// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The blocks of a {@link ChunkPool} in which skip lists keep their links. Thread-safe. */
final class LinkBlocks {
  @GuardedBy("this")
  private int[][] free = new int[16][];

  @GuardedBy("this")
  private int freeCount;

  @GuardedBy("this")
  private int made;

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
    return freeCount > 0 ? free[--freeCount] : null;
  }

  synchronized void giveBack(int[] block) {
    free[freeCount++] = block;
  }
}
