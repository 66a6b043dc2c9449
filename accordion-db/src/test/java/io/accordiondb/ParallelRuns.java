// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the cases of a test in parallel. When a method returns or throws, every case that has begun
 * has also ended, and after a failure no other case begins. A parallel stream alone lets the other
 * cases run on in the common pool after it has thrown the failure of one, beside the tests that
 * follow.
 */
public final class ParallelRuns {
  private ParallelRuns() {}

  /**
   * Runs a case for each number of a range, and throws the first failure.
   *
   * @param end the number behind the last
   */
  public static void forEach(long first, long end, LongConsumer run) {
    long unused =
        sum(
            first,
            end,
            number -> {
              run.accept(number);
              return 0;
            });
  }

  /**
   * Adds up what the cases return, one for each number of a range, and throws the first failure.
   *
   * @param end the number behind the last
   */
  public static long sum(long first, long end, LongUnaryOperator run) {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    long sum =
        LongStream.range(first, end)
            .parallel()
            .map(number -> failure.get() == null ? caught(number, run, failure) : 0)
            .sum();
    Throwable thrown = failure.get();
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException exception) {
      throw exception;
    }
    return sum;
  }

  private static long caught(
      long number, LongUnaryOperator run, AtomicReference<@Nullable Throwable> failure) {
    try {
      return run.applyAsLong(number);
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      return 0;
    }
  }
}
