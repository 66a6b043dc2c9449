// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all memory stores of a host may use together, and what they use. Thread-safe.
 *
 * <p>Charging never fails, because a write that is logged must reach memory: the host admits a
 * write, and the memory store begins a merge, only when {@link #availableBytes} covers it.
 */
public final class MemoryBudget {
  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * Creates a budget of which nothing is used.
   *
   * @param limitBytes the budget in bytes, at least 1
   */
  public MemoryBudget(long limitBytes) {
    if (limitBytes < 1) {
      throw new IllegalArgumentException("memory budget is " + limitBytes + " bytes, expected > 0");
    }
    this.limitBytes = limitBytes;
  }

  /** Returns the size of the budget in bytes. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Returns what is in use, in bytes. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Returns what is left, in bytes; negative when more was charged than the budget has. */
  public long availableBytes() {
    return limitBytes - usedBytes.get();
  }

  void charge(long bytes) {
    usedBytes.addAndGet(bytes);
  }
}
