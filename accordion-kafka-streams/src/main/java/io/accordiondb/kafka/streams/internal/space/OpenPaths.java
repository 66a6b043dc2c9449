// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the stores that are open, and of the one that a sweep may be dropping. Thread-safe.
 * Nobody writes while it is locked, so only who enters the very store that is swept has to wait.
 */
final class OpenPaths {
  /** How many times a store is open, by its path. */
  @GuardedBy("this")
  private final Map<String, Integer> times = new HashMap<>();

  @GuardedBy("this")
  private @Nullable String swept;

  /** Records that a store is open, once no sweep looks at it. */
  synchronized void enter(String path) throws InterruptedIOException {
    while (path.equals(swept)) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a sweep looks at " + path);
      }
    }
    times.merge(path, 1, Integer::sum);
  }

  /** Records that a store is closed. */
  synchronized void leave(String path) {
    times.computeIfPresent(path, (key, before) -> before == 1 ? null : before - 1);
  }

  /**
   * Keeps a store from being entered until {@link #endSweep}, unless it is open. There must be one
   * sweep at a time.
   *
   * @return false if it is open
   */
  synchronized boolean beginSweep(String path) {
    if (times.containsKey(path)) {
      return false;
    }
    swept = path;
    return true;
  }

  /** Lets the store be entered again. */
  synchronized void endSweep() {
    swept = null;
    notifyAll();
  }
}
