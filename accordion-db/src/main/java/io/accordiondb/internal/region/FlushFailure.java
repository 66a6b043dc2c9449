// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The failure of the last flush of a store, because of which its cells are still in memory.
 * Immutable.
 *
 * @param attempts number of consecutive failed flushes
 * @param failedNanos when the last one failed, as {@link System#nanoTime} counts
 * @param cause the throwable that ended the last flush
 */
public record FlushFailure(int attempts, long failedNanos, Throwable cause) {
  private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  /** Maximum number of times that the pause is doubled. */
  private static final int DOUBLINGS_MAX = 10;

  /** Returns the failure after another one, or after none. */
  static FlushFailure after(@Nullable FlushFailure before, Throwable cause) {
    return new FlushFailure(before == null ? 1 : before.attempts + 1, System.nanoTime(), cause);
  }

  /** Returns whether it is too early to try again: each failure doubles the pause. */
  public boolean isPausing(long nowNanos) {
    long pause = PAUSE_NANOS_MIN << Math.min(DOUBLINGS_MAX, attempts - 1);
    return nowNanos - failedNanos < Math.min(PAUSE_NANOS_MAX, pause);
  }

  /** Returns why the last flush of a store has failed, in words; null if it has not. */
  public static @Nullable String describe(Store store) {
    FlushFailure failure = store.flushFailure();
    if (failure == null) {
      return null;
    }
    String times = failure.attempts == 1 ? "once" : failure.attempts + " times";
    return "the flush of " + store.name() + " has failed " + times + ": " + failure.cause;
  }
}
