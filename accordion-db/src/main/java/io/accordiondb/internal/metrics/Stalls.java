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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times stalled writes, and notifies listeners when a stall begins and ends.
 * Thread-safe.
 */
public final class Stalls {
  /** A stall is over when no write has waited for this long. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String database;
  private final Tallies tallies;
  private final EventDispatcher events;
  private final Map<StallCause, Counts> counts = new EnumMap<>(StallCause.class);
  private volatile long lastWaitNanos;

  /** The stall in progress, or null. */
  @GuardedBy("this")
  private @Nullable StallEvent current;

  @GuardedBy("this")
  private long begunNanos;

  private volatile boolean stalled;

  private static final class Counts {
    private final LongAdder writes = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final AtomicInteger waiting = new AtomicInteger();
  }

  Stalls(String database, Tallies tallies, EventDispatcher events) {
    this.database = database;
    this.tallies = tallies;
    this.events = events;
    for (StallCause cause : StallCause.values()) {
      counts.put(cause, new Counts());
    }
  }

  private Counts of(StallCause cause) {
    return Objects.requireNonNull(counts.get(cause));
  }

  /** Records that a write begins to wait. */
  public void begin(StallCause cause, Supplier<String> reason) {
    of(cause).writes.increment();
    of(cause).waiting.incrementAndGet();
    if (!stalled) {
      beginStall(cause, reason);
    }
  }

  private synchronized void beginStall(StallCause cause, Supplier<String> reason) {
    if (current == null) {
      StallEvent begun = new StallEvent(cause, reason.get(), 0);
      current = begun;
      begunNanos = System.nanoTime();
      lastWaitNanos = begunNanos;
      stalled = true;
      events.tell(listener -> listener.onStallBegin(begun));
    }
  }

  /** Records that a write has waited. */
  public void end(StallCause cause, long nanos) {
    of(cause).nanos.add(nanos);
    of(cause).waiting.decrementAndGet();
    lastWaitNanos = System.nanoTime();
    tallies.mine().addStall(nanos);
  }

  /** Ends a stall that is over. Called periodically. */
  public void look() {
    if (stalled && waiting() == 0 && System.nanoTime() - lastWaitNanos > QUIET_NANOS) {
      endStall();
    }
  }

  /** Ends the stall in progress, because there will be no more writes. */
  synchronized void endStall() {
    StallEvent begun = current;
    if (begun != null) {
      long nanos = Math.max(0, lastWaitNanos - begunNanos);
      current = null;
      stalled = false;
      StallEvent over = new StallEvent(begun.cause(), begun.reason(), nanos);
      DatabaseJfrEvent.Stall.write(database, over);
      events.tell(listener -> listener.onStallEnd(over));
    }
  }

  private int waiting() {
    return counts.values().stream().mapToInt(count -> count.waiting.get()).sum();
  }

  /** Returns all figures. */
  public StallStatistics statistics(@Nullable String lastReason) {
    Map<StallCause, StallStatistics.Stalls> byCause = new EnumMap<>(StallCause.class);
    counts.forEach(
        (cause, count) ->
            byCause.put(
                cause,
                new StallStatistics.Stalls(
                    count.writes.sum(), count.nanos.sum(), count.waiting.get())));
    return new StallStatistics(byCause, lastReason);
  }
}
