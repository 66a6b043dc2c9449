// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.clock;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A clock that follows another one, but not a jump far ahead until the jump has lasted. A second
 * clock that never jumps, {@link System#nanoTime}, measures the elapsed time. Thread-safe; takes no
 * lock while the clock does not jump.
 *
 * <p>A machine that sleeps and wakes makes jumps, too, because the second clock may stop while it
 * sleeps. So a jump on top of another one does not begin the wait of the first one again.
 *
 * <p>It follows a step back at once. A return from such a step is not a jump: a jump is measured
 * against the last trusted time plus the elapsed time.
 */
final class JumpGuard {
  /** How long a clock must be ahead before it is trusted as far as it was ahead all the time. */
  static final Duration TRUSTED_AFTER = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(JumpGuard.class);

  /** A clock is not checked again within this distance of the last check. */
  private static final long RECHECK_MILLIS = 1000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final InstantSource source;
  private final LongSupplier nanoTime;
  private final long jumpMillisMin;
  private final String consequence;

  /**
   * What was trusted last, and since when the clock disagrees.
   *
   * @param millis the time that was trusted
   * @param nanos when that was
   * @param offMillis how far the clock is ahead of what it should say, or behind if negative; 0 if
   *     it agrees
   * @param offSinceNanos since when it disagrees
   */
  private record State(long millis, long nanos, long offMillis, long offSinceNanos) {
    boolean agrees() {
      return offMillis == 0;
    }
  }

  /** Written under the lock of this. */
  private volatile State state;

  /**
   * Creates a guard.
   *
   * @param startMillis the time to begin with
   * @param jump by how much the clock must be off to be distrusted
   * @param consequence what follows from a distrusted clock, for the log output
   */
  JumpGuard(
      InstantSource source,
      LongSupplier nanoTime,
      long startMillis,
      Duration jump,
      String consequence) {
    this.source = source;
    this.nanoTime = nanoTime;
    this.jumpMillisMin = jump.toMillis();
    this.consequence = consequence;
    this.state = new State(startMillis, nanoTime.getAsLong(), 0, 0);
  }

  /** Returns the time in milliseconds of the epoch: the clock's, or what it should be. */
  long millis() {
    long now = source.millis();
    State last = state;
    return last.agrees() && Math.abs(now - last.millis) <= RECHECK_MILLIS ? now : checked(now);
  }

  /** Trusts that a time has passed, as far as the clock says so, too. */
  synchronized void raise(long passedMillis) {
    State last = state;
    long nanos = nanoTime.getAsLong();
    long start = Math.min(passedMillis, source.millis());
    if (start > last.millis + (nanos - last.nanos) / NANOS_PER_MILLI) {
      state = new State(start, nanos, 0, 0);
    }
  }

  private long checked(long now) {
    State last = state;
    long nanos = nanoTime.getAsLong();
    long expected = last.millis + (nanos - last.nanos) / NANOS_PER_MILLI;
    State next = next(last, now, nanos, now - expected);
    if (!next.equals(last)) {
      replace(last, next);
    }
    return next.agrees() ? now : Math.min(now, expected);
  }

  /** Changes the state, unless another thread, which saw about the same times, has done so. */
  private synchronized void replace(State last, State next) {
    if (state.equals(last)) {
      state = next;
      log(last, next);
    }
  }

  private State next(State last, long now, long nanos, long off) {
    if (Math.abs(off) <= jumpMillisMin) {
      return new State(now, nanos, 0, 0);
    }
    long more = off - last.offMillis;
    boolean isFurtherAhead = last.offMillis > 0 && more > jumpMillisMin;
    if (last.agrees() || (Math.abs(more) > jumpMillisMin && !isFurtherAhead)) {
      return new State(last.millis, last.nanos, off, nanos);
    }
    if (nanos - last.offSinceNanos < TRUSTED_AFTER.toNanos()) {
      return last;
    }
    return isFurtherAhead ? new State(now - more, nanos, more, nanos) : new State(now, nanos, 0, 0);
  }

  private void log(State last, State next) {
    if (next.offMillis > 0) {
      LOG.warn(
          "the clock is {} ahead of the time that has passed; {} until it has been so for {}",
          Duration.ofMillis(next.offMillis),
          consequence,
          TRUSTED_AFTER);
    } else if (last.offMillis > 0 && next.agrees()) {
      LOG.info(
          "the clock, which was {} ahead, is trusted again", Duration.ofMillis(last.offMillis));
    }
  }
}
