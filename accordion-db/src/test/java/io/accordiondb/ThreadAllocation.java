// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Counts the bytes that a piece of code allocates on the heap. */
public final class ThreadAllocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The first runs make what later ones use again. */
  private static final int WARMUPS = 20;

  private ThreadAllocation() {}

  /** Returns the fewest bytes of several runs: a collector or compiler may disturb one of them. */
  public static long bytesOf(ThrowingCallable work) throws Throwable {
    for (int i = 0; i < WARMUPS; i++) {
      work.call();
    }
    long least = Long.MAX_VALUE;
    for (int i = 0; i < WARMUPS; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      work.call();
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  /** Returns the bytes that an array of bytes takes, with a header of 16 bytes. */
  public static long arrayBytes(int length) {
    return 16L + length + Long.BYTES - 1 & -Long.BYTES;
  }
}
