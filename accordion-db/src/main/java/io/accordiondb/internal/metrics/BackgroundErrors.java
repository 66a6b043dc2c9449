// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.event.BackgroundErrorEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports failures of background work: to listeners each time, to the log once for each cause and
 * again every ten minutes while it persists. Thread-safe.
 */
public final class BackgroundErrors {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundErrors.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Maximum number of different causes that are remembered. */
  private static final int CAUSES_MAX = 1000;

  private final EventDispatcher events;
  private final Corruptions corruptions;
  private final LongSupplier nanoClock;
  private final BiConsumer<String, Throwable> log;
  private final Map<Cause, Long> loggedNanos = new ConcurrentHashMap<>();
  private final LongAdder count = new LongAdder();
  private volatile @Nullable String last;

  /** The cause of a failure. Failures with equal causes are reported as one. */
  private record Cause(String what, Class<?> type, String message) {}

  BackgroundErrors(EventDispatcher events, Corruptions corruptions) {
    this(events, corruptions, System::nanoTime, LOG::error);
  }

  /** Same as above, with a clock in nanoseconds and a log. */
  BackgroundErrors(
      EventDispatcher events,
      Corruptions corruptions,
      LongSupplier nanoClock,
      BiConsumer<String, Throwable> log) {
    this.events = events;
    this.corruptions = corruptions;
    this.nanoClock = nanoClock;
    this.log = log;
  }

  /** Returns how many failures were reported. */
  public long count() {
    return count.sum();
  }

  /** Returns the failure that was reported last, in words; null if there was none. */
  public @Nullable String last() {
    return last;
  }

  /**
   * Reports a failure, and the damage if that is its cause.
   *
   * @param what the work that failed, and the consequence, in words
   */
  public void report(String what, Throwable failure) {
    count.increment();
    corruptions.check(failure);
    events.tell(listener -> listener.onBackgroundError(new BackgroundErrorEvent(what, failure)));
    last = what + ": " + failure;
    Cause cause = new Cause(what, failure.getClass(), String.valueOf(failure.getMessage()));
    long now = nanoClock.getAsLong();
    Long logged = loggedNanos.get(cause);
    if (logged != null && now - logged < PAUSE_NANOS) {
      LOG.debug("{}", what, failure);
      return;
    }
    if (loggedNanos.size() >= CAUSES_MAX) {
      loggedNanos.clear();
    }
    loggedNanos.put(cause, now);
    log.accept(what, failure);
  }
}
