// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ParallelRunsTest {
  private static final int CASES = 1_000;
  private static final long PAUSE_NANOS = 1_000_000;

  @Test
  void eachCaseRunsOnceAndTheirResultsAreAddedUp() {
    Set<Long> numbers = ConcurrentHashMap.newKeySet();
    ParallelRuns.forEach(3, CASES, number -> assertThat(numbers.add(number)).isTrue());
    assertThat(numbers).hasSize(CASES - 3);
    assertThat(ParallelRuns.sum(3, CASES, number -> number))
        .isEqualTo(LongStream.range(3, CASES).sum());
  }

  /** Cases that are running when one fails end a moment later. */
  @RepeatedTest(20)
  void noCaseRunsOnAfterAFailure() {
    CountDownLatch failing = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    assertThatThrownBy(
            () ->
                ParallelRuns.forEach(
                    0,
                    CASES,
                    number -> {
                      if (begun.getAndIncrement() == 0) {
                        failing.countDown();
                        ended.incrementAndGet();
                        throw new AssertionError("case " + number);
                      }
                      awaitQuietly(failing);
                      LockSupport.parkNanos(PAUSE_NANOS);
                      ended.incrementAndGet();
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("case ");
    int begunAtFirst = begun.get();
    assertThat(ended.get()).as("cases that have ended").isEqualTo(begunAtFirst);
    assertThat(begunAtFirst).as("cases that have begun").isLessThan(CASES);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
