// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.pause.Pause;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Delays threads that together write more than a number of bytes a second. Thread-safe. Unused
 * capacity is kept for a tenth of a second at most.
 *
 * <p>Guava's limiter would add a dependency of 3 MB, and a cancelled compaction could not interrupt
 * its waits.
 */
public final class RateLimiter {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long BURST_NANOS = NANOS_PER_SECOND / 10;

  /** Longest wait between two looks at the limit and at the work. */
  private static final long PAUSE_NANOS_MAX = 50_000_000;

  private final LongSupplier bytesPerSecond;
  private final LongSupplier nanoClock;

  /** The time at which all acquired bytes are paid for. */
  @GuardedBy("this")
  private long paidNanos;

  /** The limit for which that time was computed. */
  @GuardedBy("this")
  private long paidRate;

  /**
   * Creates a limiter.
   *
   * @param bytesPerSecond supplies the limit, at each use; 0 for no limit
   */
  public RateLimiter(LongSupplier bytesPerSecond, LongSupplier nanoClock) {
    this.bytesPerSecond = bytesPerSecond;
    this.nanoClock = nanoClock;
    this.paidNanos = nanoClock.getAsLong();
  }

  /**
   * Acquires bytes, and waits until they are paid for, the limit changes, or the work is urgent or
   * cancelled.
   */
  public void acquire(long bytes, BooleanSupplier mayGoOn) {
    long rate = bytesPerSecond.getAsLong();
    if (rate == 0 || mayGoOn.getAsBoolean()) {
      return;
    }
    long until = take(bytes, rate);
    long wait = until - nanoClock.getAsLong();
    while (wait > 0 && !mayGoOn.getAsBoolean() && bytesPerSecond.getAsLong() == rate) {
      Pause.uninterruptibly(Math.min(wait, PAUSE_NANOS_MAX));
      wait = until - nanoClock.getAsLong();
    }
    if (wait > 0) {
      giveBack(wait, rate);
    }
  }

  /** Takes back what nobody has waited for, so that others need not. */
  private synchronized void giveBack(long nanos, long rate) {
    if (paidRate == rate) {
      paidNanos -= nanos;
    }
  }

  private synchronized long take(long bytes, long rate) {
    long now = nanoClock.getAsLong();
    if (paidRate != rate) {
      paidRate = rate;
      paidNanos = Math.min(paidNanos, now);
    }
    paidNanos = Math.max(paidNanos, now - BURST_NANOS);
    paidNanos += (long) ((double) bytes / rate * NANOS_PER_SECOND);
    return paidNanos;
  }
}
