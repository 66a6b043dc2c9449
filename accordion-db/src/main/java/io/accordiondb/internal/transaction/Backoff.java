// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.internal.pause.Pause;
import java.util.SplittableRandom;

/**
 * Computes the pauses of a caller that retries after conflicts. They are random, so that
 * transactions that conflicted once do not conflict again, and on average each is twice as long as
 * the one before. Belongs to one thread.
 */
final class Backoff {
  private static final int ATTEMPTS_MAX = 100;
  private static final long NANOS_MAX = 10_000_000_000L;
  private static final long PAUSE_NANOS_FIRST = 50_000;
  private static final long PAUSE_NANOS_MAX = 200_000_000;

  private final long begunNanos;
  private final SplittableRandom random;
  private int attempts;
  private long pauseNanosMax = PAUSE_NANOS_FIRST;

  /**
   * Begins the first attempt.
   *
   * @param nowNanos the time, as {@link System#nanoTime} has it
   */
  Backoff(long nowNanos) {
    this.begunNanos = nowNanos;
    this.random = new SplittableRandom(nowNanos ^ Thread.currentThread().getId());
  }

  /** Pauses after an attempt. Returns false without a pause if no further attempt is allowed. */
  boolean pause() {
    attempts++;
    if (attempts == ATTEMPTS_MAX || System.nanoTime() - begunNanos > NANOS_MAX) {
      return false;
    }
    Pause.uninterruptibly(1 + random.nextLong(pauseNanosMax));
    pauseNanosMax = Math.min(PAUSE_NANOS_MAX, 2 * pauseNanosMax);
    return true;
  }
}
