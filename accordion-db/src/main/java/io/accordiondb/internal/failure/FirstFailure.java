// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.failure;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.WritesSuspendedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Records the first failure of a component that must not continue after one. A {@link
 * WritesSuspendedException} can pass: it can be cleared, and another failure replaces it.
 * Thread-safe; recording a failure allocates nothing, because there may be no memory.
 */
public final class FirstFailure {
  private final AtomicReference<@Nullable Throwable> first = new AtomicReference<>();

  /** Records a failure, unless there is one already that takes precedence. */
  public void record(Throwable failure) {
    Throwable present = first.get();
    while (present == null || (passes(present) && !passes(failure))) {
      if (first.compareAndSet(present, failure)) {
        return;
      }
      present = first.get();
    }
  }

  /** Records a failure that does not pass; does nothing for another one. */
  public void recordPermanent(Throwable failure) {
    if (!passes(failure)) {
      record(failure);
    }
  }

  /** Returns the failure, or null. */
  public @Nullable Throwable get() {
    return first.get();
  }

  /** Forgets the failure if it passes. */
  public void clear() {
    Throwable present = first.get();
    if (passes(present)) {
      first.compareAndSet(present, null);
    }
  }

  /** Throws if there is a failure. */
  public void check() throws DatabaseFailedException {
    Throwable present = first.get();
    if (present != null) {
      throw refusal(present);
    }
  }

  /** Returns the exception by which a write is refused because of a failure. */
  public static DatabaseFailedException refusal(@Nullable Throwable failure) {
    return failure instanceof WritesSuspendedException
        ? new WritesSuspendedException(failure.getCause())
        : new DatabaseFailedException(failure);
  }

  /** Returns whether a failure passes. */
  public static boolean passes(@Nullable Throwable failure) {
    return failure instanceof WritesSuspendedException;
  }

  /** Returns a failure of the steps that throw I/O exceptions; throws it if it is unchecked. */
  public static IOException checked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    return (IOException) failure;
  }
}
