// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class RateLimiterTest {
  @Test
  void holdsTheRate() {
    RateLimiter limiter = new RateLimiter(() -> 10_000_000, System::nanoTime);
    long begun = System.nanoTime();
    for (int i = 0; i < 50; i++) {
      limiter.acquire(100_000, () -> false);
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertThat(seconds).isBetween(0.35, 15.0);
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
    limiter.acquire(
        1_000_000,
        () -> {
          rate.set(100_000_000);
          return false;
        });
    // Nor does anybody pay under the new limit for what was acquired under the old one.
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
    assertThat(System.nanoTime() - begun).isLessThan(10_000_000_000L);
  }

  @Test
  void doesNotHoldWithoutLimitOrWhenCancelled() {
    long begun = System.nanoTime();
    new RateLimiter(() -> 0, System::nanoTime).acquire(Long.MAX_VALUE, () -> false);
    new RateLimiter(() -> 1, System::nanoTime).acquire(1_000_000, () -> true);
    assertThat(System.nanoTime() - begun).isLessThan(15_000_000_000L);
  }
}
