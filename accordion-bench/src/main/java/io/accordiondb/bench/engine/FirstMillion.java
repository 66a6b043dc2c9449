// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * When the process has written its first million rows. Until then most of its code is compiled.
 * Thread-safe.
 */
public final class FirstMillion {
  private static final long ROWS = 1_000_000;
  private static final double MILLIS_A_SECOND = 1e3;

  private final AtomicLong written = new AtomicLong();
  private volatile double secondsWaited;
  private volatile @Nullable Double seconds;

  /** Begins with nothing written. */
  public FirstMillion() {}

  /** Adds rows that are written. */
  void add(long rows) {
    // Later writes only read.
    if (written.get() >= ROWS) {
      return;
    }
    long sum = written.addAndGet(rows);
    if (sum >= ROWS && sum - rows < ROWS) {
      seconds = ManagementFactory.getRuntimeMXBean().getUptime() / MILLIS_A_SECOND - secondsWaited;
    }
  }

  /** Sets how long the measurement has waited until the process was idle. */
  public void setWait(double waited) {
    secondsWaited = waited;
  }

  /**
   * Returns how long after the start of the JVM that was, in seconds, without what the measurement
   * has waited; null if it was not yet.
   */
  public @Nullable Double seconds() {
    return seconds;
  }
}
