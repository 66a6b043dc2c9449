// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.pause;

import java.util.concurrent.locks.LockSupport;

/** Pauses between attempts, for threads that may be interrupted. */
public final class Pause {
  private Pause() {}

  /**
   * Pauses for a while, also if the thread is interrupted, and keeps its interrupt. Otherwise an
   * interrupted thread would try again without a pause; a virtual one would keep its carrier, which
   * the thread that it waits for may need.
   */
  public static void uninterruptibly(long nanos) {
    long begun = System.nanoTime();
    boolean interrupted = false;
    for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - begun)) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
