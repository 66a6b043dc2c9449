// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The limit on the memory that all memory stores of a host use together, and their present use.
 * Thread-safe.
 *
 * <p>Charging never fails, because a write that is logged must reach memory: the host admits a
 * write, and the memory store begins a merge, only when {@link #availableBytes} covers it.
 *
 * <p>When the process has less memory than the budget promises, the {@link ChunkPool} lowers the
 * budget to what there is, so that the host flushes earlier instead of running out of memory.
 */
public final class MemoryBudget {
  /** Cells too large for a chunk may take one part in this many of the heap. */
  private static final int HEAP_SHARE = 4;

  /** Written only by holders of the monitor, as is the limit. */
  private volatile long wantedBytes;

  private volatile long limitBytes;

  @GuardedBy("this")
  private long ceilingBytes = Long.MAX_VALUE;

  private final AtomicLong usedBytes = new AtomicLong();

  /** What cells that are too large for a chunk use on the heap. */
  private final AtomicLong jumboBytes = new AtomicLong();

  private final long jumboBytesMax;

  /**
   * Creates a budget of which nothing is used.
   *
   * @param limitBytes the budget in bytes, at least 1
   */
  public MemoryBudget(long limitBytes) {
    this(limitBytes, Runtime.getRuntime().maxMemory());
  }

  MemoryBudget(long limitBytes, long heapBytes) {
    this.wantedBytes = checked(limitBytes);
    this.limitBytes = limitBytes;
    this.jumboBytesMax = Math.max(1, heapBytes / HEAP_SHARE);
  }

  private static long checked(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("memory budget is " + bytes + " bytes, expected > 0");
    }
    return bytes;
  }

  /** {@return the size of the budget in bytes, which {@link #lowerTo} may have lowered} */
  public long limitBytes() {
    return limitBytes;
  }

  /** {@return whether the budget is smaller than requested, because the process lacks memory} */
  public boolean isLowered() {
    return limitBytes < wantedBytes;
  }

  /**
   * Changes the size. It stays at or below the size that {@link #lowerTo} has set.
   *
   * @param bytes the new size in bytes, at least 1
   */
  public synchronized void resize(long bytes) {
    wantedBytes = checked(bytes);
    limitBytes = Math.min(wantedBytes, ceilingBytes);
  }

  /**
   * Lowers the budget to a size, unless it is smaller already. {@link #resize} cannot raise it
   * above that size afterwards.
   *
   * @param bytes the new size in bytes, at least 1
   */
  public synchronized void lowerTo(long bytes) {
    ceilingBytes = Math.max(1, Math.min(ceilingBytes, bytes));
    limitBytes = Math.min(limitBytes, ceilingBytes);
  }

  /** {@return what is in use, in bytes} */
  public long usedBytes() {
    return usedBytes.get();
  }

  /**
   * {@return what is in use, in bytes, for the decision to flush} More than {@link #usedBytes} if
   * cells on the heap that are too large for a chunk take a larger part of what they may take of
   * the heap: a heap may be smaller than the budget.
   */
  public long pressureBytes() {
    long used = usedBytes.get();
    long jumbo = jumboBytes.get();
    return jumbo == 0 ? used : Math.max(used, (long) ((double) jumbo / jumboBytesMax * limitBytes));
  }

  /** {@return what is left, in bytes; negative when more was charged than the budget has} */
  public long availableBytes() {
    return limitBytes - usedBytes.get();
  }

  void charge(long bytes) {
    usedBytes.addAndGet(bytes);
  }

  void chargeJumbo(long bytes) {
    jumboBytes.addAndGet(bytes);
  }
}
