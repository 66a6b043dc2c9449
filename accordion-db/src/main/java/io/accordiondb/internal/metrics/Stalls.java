// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.event.StallEvent;
import io.accordiondb.statistics.StallCause;
import io.accordiondb.statistics.StallStatistics;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times stalled writes, and notifies listeners when a stall begins and ends.
 * Thread-safe. Only writes that wait anyway take its lock.
 */
public final class Stalls {
  /** A stall is over when no write has waited for this long. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String database;
  private final Tallies tallies;
  private final EventDispatcher events;
  private final LongSupplier nanoClock;

  @GuardedBy("this")
  private final Map<StallCause, Waits> byCause = new EnumMap<>(StallCause.class);

  /** The periods in which at least one write waited, for any cause. */
  @GuardedBy("this")
  private final Waits any = new Waits();

  /** Writes that wait now, for any cause. */
  @GuardedBy("this")
  private int waiting;

  /** When the last wait ended. */
  @GuardedBy("this")
  private long lastWaitNanos;

  /** The stall in progress, or null. */
  @GuardedBy("this")
  private @Nullable StallEvent current;

  /** The time of {@link #any} before the stall in progress. */
  @GuardedBy("this")
  private long nanosBefore;

  /** Waits that can be timed before they end. Guarded by the object that has them. */
  private static final class Waits {
    private long count;
    private int now;

    /** The length of the waits that have ended. */
    private long nanos;

    /** The sum of the times at which those began that have not ended. It may overflow. */
    private long beginnings;

    void begin(long nanoTime) {
      count++;
      now++;
      beginnings += nanoTime;
    }

    void end(long begun, long nanoTime) {
      now--;
      beginnings -= begun;
      nanos += nanoTime - begun;
    }

    /** Returns the length of all waits up to a time. */
    long nanos(long nanoTime) {
      return nanos + now * nanoTime - beginnings;
    }
  }

  Stalls(String database, Tallies tallies, EventDispatcher events) {
    this(database, tallies, events, System::nanoTime);
  }

  /** Same as above, with a clock in nanoseconds. */
  Stalls(String database, Tallies tallies, EventDispatcher events, LongSupplier nanoClock) {
    this.database = database;
    this.tallies = tallies;
    this.events = events;
    this.nanoClock = nanoClock;
    for (StallCause cause : StallCause.values()) {
      byCause.put(cause, new Waits());
    }
  }

  @GuardedBy("this")
  private Waits of(StallCause cause) {
    return Objects.requireNonNull(byCause.get(cause));
  }

  /** Records that a write begins to wait. Returns the time, which {@link #end} needs. */
  public synchronized long begin(StallCause cause, Supplier<String> reason) {
    long now = nanoClock.getAsLong();
    if (current == null) {
      StallEvent begun = new StallEvent(cause, reason.get(), 0);
      current = begun;
      nanosBefore = any.nanos(now);
      events.tell(listener -> listener.onStallBegin(begun));
    }
    of(cause).begin(now);
    if (waiting == 0) {
      any.begin(now);
    }
    waiting++;
    return now;
  }

  /**
   * Records that a write has waited.
   *
   * @param begun when it began to wait
   */
  public void end(StallCause cause, long begun) {
    tallies.mine().addStall(endOne(cause, begun) - begun);
  }

  private synchronized long endOne(StallCause cause, long begun) {
    long now = nanoClock.getAsLong();
    of(cause).end(begun, now);
    waiting--;
    if (waiting == 0) {
      // It is the only wait of any, so the sum of the beginnings is its beginning.
      any.end(any.beginnings, now);
    }
    lastWaitNanos = now;
    return now;
  }

  /** Ends a stall that is over. Called periodically. */
  public synchronized void look() {
    if (waiting == 0 && nanoClock.getAsLong() - lastWaitNanos > QUIET_NANOS) {
      endStall();
    }
  }

  /** Ends the stall in progress, because there will be no more writes. */
  synchronized void endStall() {
    StallEvent begun = current;
    if (begun != null) {
      long nanos = any.nanos(nanoClock.getAsLong()) - nanosBefore;
      current = null;
      StallEvent over = new StallEvent(begun.cause(), begun.reason(), nanos);
      DatabaseJfrEvent.Stall.write(database, over);
      events.tell(listener -> listener.onStallEnd(over));
    }
  }

  /** Returns all figures. */
  public synchronized StallStatistics statistics(@Nullable String lastReason) {
    long now = nanoClock.getAsLong();
    Map<StallCause, StallStatistics.Stalls> figures = new EnumMap<>(StallCause.class);
    byCause.forEach(
        (cause, waits) ->
            figures.put(
                cause, new StallStatistics.Stalls(waits.count, waits.nanos(now), waits.now)));
    return new StallStatistics(figures, any.nanos(now), lastReason);
  }
}
