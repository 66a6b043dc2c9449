// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.chunk.MemoryKind;

/**
 * A process with less direct memory than its pool may own. It fills the pool with cells of several
 * sizes, one after the other, and prints how much of each was on the heap.
 */
final class StarvedPool {
  private static final int FILL_BYTES = 40 << 20;

  private StarvedPool() {}

  public static void main(String[] sizes) {
    MemoryBudget budget = new MemoryBudget(1 << 30);
    MemoryAccount account = new MemoryAccount(budget);
    ChunkPool pool = new ChunkPool(64 << 10, 1 << 30);
    for (String size : sizes) {
      Arena arena = new Arena(pool, MemoryKind.OFF_HEAP, account);
      while (arena.bytes() < FILL_BYTES) {
        arena.allocate(Integer.parseInt(size));
      }
      System.out.println(arena.heapBytes() + " " + budget.isLowered());
      arena.release();
    }
  }
}
