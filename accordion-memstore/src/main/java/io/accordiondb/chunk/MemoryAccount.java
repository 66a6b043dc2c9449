// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what one memory store uses of a {@link MemoryBudget}. It is charged when memory is taken
 * and credited when memory is returned, so it is exact at any time. Thread-safe.
 */
public final class MemoryAccount {
  private final MemoryBudget budget;
  private final AtomicLong heapBytes = new AtomicLong();
  private final AtomicLong offHeapBytes = new AtomicLong();

  /**
   * Creates an account to which nothing is charged.
   *
   * @param budget the budget in which charges count as well
   */
  public MemoryAccount(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Returns the budget that the account belongs to. */
  MemoryBudget budget() {
    return budget;
  }

  /** {@return what the store uses, in bytes} */
  public long usedBytes() {
    return heapBytes.get() + offHeapBytes.get();
  }

  /**
   * {@return what the store uses of one kind of memory, in bytes}
   *
   * @param kind where the memory is
   */
  public long usedBytes(MemoryKind kind) {
    return bytesOf(kind).get();
  }

  /**
   * Charges bytes, whether or not the budget has them.
   *
   * @param kind where the memory is
   * @param bytes the number of bytes, at least 0
   */
  public void charge(MemoryKind kind, long bytes) {
    bytesOf(kind).addAndGet(bytes);
    budget.charge(bytes);
  }

  /**
   * Credits bytes that were charged before.
   *
   * @param kind where the memory is
   * @param bytes the number of bytes, at least 0
   */
  public void credit(MemoryKind kind, long bytes) {
    charge(kind, -bytes);
  }

  private AtomicLong bytesOf(MemoryKind kind) {
    return kind == MemoryKind.HEAP ? heapBytes : offHeapBytes;
  }
}
