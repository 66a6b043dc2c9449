// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A wait cannot be interrupted: a test that does not end is left to its own thread. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class RateLimiterTest {
  @Test
  void holdsTheRate() {
    RateLimiter limiter = new RateLimiter(() -> 10_000_000, System::nanoTime);
    long begun = System.nanoTime();
    for (int i = 0; i < 50; i++) {
      limiter.acquire(100_000, () -> false);
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertThat(seconds).isGreaterThan(0.35);
  }

  @Test
  void anInterruptedThreadPausesBetweenItsLooks() {
    RateLimiter limiter = new RateLimiter(() -> 1_000_000, System::nanoTime);
    AtomicInteger looks = new AtomicInteger();
    Thread.currentThread().interrupt();
    limiter.acquire(
        400_000,
        () -> {
          looks.incrementAndGet();
          return false;
        });
    assertThat(Thread.interrupted()).as("the flag of the thread").isTrue();
    assertThat(looks.get()).isBetween(1, 20);
  }

  @Test
  void aWaitEndsWhenTheLimitChanges() {
    AtomicLong rate = new AtomicLong(1);
    RateLimiter limiter = new RateLimiter(rate::get, System::nanoTime);
    AtomicInteger looks = new AtomicInteger();
    limiter.acquire(
        1_000_000,
        () -> {
          if (looks.incrementAndGet() == 3) {
            rate.set(100_000_000);
          }
          return false;
        });
    assertThat(looks).as("looks until the limit was new").hasValue(3);
    // Nor does anybody pay under the new limit for what was acquired under the old one: that would
    // take the limiter eleven days.
    limiter.acquire(1_000_000, () -> false);
  }

  @Test
  void whatIsUrgentRunsUpNoDebtForOthers() {
    RateLimiter limiter = new RateLimiter(() -> 10_000_000, System::nanoTime);
    long begun = System.nanoTime();
    limiter.acquire(1_000_000_000, () -> true);
    AtomicInteger looks = new AtomicInteger();
    limiter.acquire(1_000_000_000, () -> looks.incrementAndGet() > 2);
    limiter.acquire(100_000, () -> false);
    assertThat(System.nanoTime() - begun).isLessThan(90_000_000_000L);
  }

  @Test
  void doesNotHoldWithoutLimitOrWhenCancelled() {
    long begun = System.nanoTime();
    new RateLimiter(() -> 0, System::nanoTime).acquire(Long.MAX_VALUE, () -> false);
    new RateLimiter(() -> 1, System::nanoTime).acquire(1_000_000, () -> true);
    assertThat(System.nanoTime() - begun).isLessThan(90_000_000_000L);
  }
}
