// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final int CHUNK_BYTES = ChunkPool.CHUNK_BYTES_MIN;

  private final MemoryBudget budget = new MemoryBudget(1 << 30, 4 << 20);
  private final MemoryAccount account = new MemoryAccount(budget);
  private final ChunkPool pool = new ChunkPool(CHUNK_BYTES, 1 << 30);

  /** The heap of this budget is 4 MiB, of which such cells may take 1 MiB. */
  @Test
  void largeCellsPressAsTheyFillTheHeap() {
    int jumbo = pool.takeJumboChunk(1 << 19, MemoryKind.HEAP, account);
    assertThat(budget.usedBytes()).isEqualTo(1 << 19);
    assertThat(budget.pressureBytes()).isEqualTo(1 << 29);
    pool.giveBack(jumbo, account);
    assertThat(budget.pressureBytes()).isZero();
  }

  @Test
  void cellsInChunksPressAsTheyFillTheBudget() {
    account.charge(MemoryKind.HEAP, 3 << 20);
    assertThat(budget.pressureBytes()).isEqualTo(3 << 20);
    account.credit(MemoryKind.HEAP, 3 << 20);
  }
}
