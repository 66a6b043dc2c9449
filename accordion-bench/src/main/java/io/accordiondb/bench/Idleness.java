// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** Waits for the background work of any store: until the process uses next to no processor time. */
final class Idleness {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final double BUSY_SHARE = 0.05;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Idleness() {}

  /**
   * Returns when all threads together have used less than a twentieth of one processor for half a
   * second, or after a minute.
   *
   * @throws IOException if this thread is interrupted
   */
  static void await() throws IOException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long begun = System.nanoTime();
    long used;
    do {
      long before = system.getProcessCpuTime();
      try {
        TimeUnit.NANOSECONDS.sleep(PERIOD_NANOS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      used = system.getProcessCpuTime() - before;
    } while (used > PERIOD_NANOS * BUSY_SHARE && System.nanoTime() - begun < LIMIT_NANOS);
  }
}
