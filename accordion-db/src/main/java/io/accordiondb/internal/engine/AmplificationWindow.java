// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.statistics.AmplificationStatistics.Period;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Remembers the bytes written and read in each second of the last minute. Thread-safe. */
final class AmplificationWindow {
  private static final long LENGTH_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

  @GuardedBy("this")
  private final Deque<Period> samples = new ArrayDeque<>();

  /** Begins with nothing written and read. */
  AmplificationWindow() {
    samples.add(new Period(0, 0, 0, 0, 0));
  }

  /** Notes what has happened since opening; called about once a second. */
  synchronized void add(Period sinceOpening) {
    if (sinceOpening.nanos() - samples.getLast().nanos() >= STEP_NANOS) {
      samples.addLast(sinceOpening);
    }
    // Keep the youngest sample that is at least a minute old, to cover a whole minute.
    while (samples.size() > 2
        && samples.stream().skip(1).findFirst().orElseThrow().nanos()
            <= sinceOpening.nanos() - LENGTH_NANOS) {
      samples.removeFirst();
    }
  }

  /** Returns what has happened within about a minute. */
  synchronized Period lastMinute(Period sinceOpening) {
    add(sinceOpening);
    Period before = samples.getFirst();
    return new Period(
        sinceOpening.nanos() - before.nanos(),
        since(sinceOpening.bytesCommitted(), before.bytesCommitted()),
        since(sinceOpening.bytesWritten(), before.bytesWritten()),
        since(sinceOpening.rowsRead(), before.rowsRead()),
        since(sinceOpening.blocksRead(), before.blocksRead()));
  }

  /** Not below zero, because the counters of some parts restart when a database is refreshed. */
  private static long since(long now, long before) {
    return Math.max(0, now - before);
  }
}
