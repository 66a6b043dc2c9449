// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.util.concurrent.locks.LockSupport;

/** Limits a thread to a number of operations a second, from its construction on. */
public final class OperationRate {
  /** No limit. */
  public static final OperationRate UNLIMITED = new OperationRate(0);

  private final double nanosOfOne;
  private final long begun = System.nanoTime();

  private OperationRate(double nanosOfOne) {
    this.nanosOfOne = nanosOfOne;
  }

  /** Returns a limit in operations a second; 0 for no limit. */
  public static OperationRate of(double rate) {
    return rate == 0 ? UNLIMITED : new OperationRate(1e9 / rate);
  }

  /**
   * Waits until the next operation is due after the given number of operations, and returns the
   * time at which it was due. An operation that earlier ones have delayed starts late, so latencies
   * that count from the returned time include the delay.
   */
  public long await(long done) {
    if (nanosOfOne == 0) {
      return System.nanoTime();
    }
    long due = begun + (long) (done * nanosOfOne);
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return due;
  }
}
