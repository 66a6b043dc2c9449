// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives timestamps that never go back, even if the clock below does. Thread-safe. Equal ones are
 * told apart by sequence numbers.
 */
final class MonotonicClock {
  private final InstantSource source;
  private final AtomicLong highest;

  MonotonicClock(InstantSource source, long floor) {
    this.source = source;
    this.highest = new AtomicLong(floor);
  }

  /** Returns the time in milliseconds of the epoch. */
  long millis() {
    long now = source.millis();
    long seen = highest.get();
    return now > seen ? highest.accumulateAndGet(now, Math::max) : seen;
  }

  /** Returns the highest time given so far. */
  long highest() {
    return highest.get();
  }
}
