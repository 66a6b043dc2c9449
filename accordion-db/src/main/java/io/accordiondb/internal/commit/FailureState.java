// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.DatabaseFailedException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database still takes writes. After the first failure of log or manifest it never does
 * again until it is opened anew, because what the device holds is unknown. Thread-safe.
 */
public final class FailureState {
  private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
  private final Supplier<@Nullable Throwable> manifestFailure;

  /**
   * Creates a state without failure.
   *
   * @param manifestFailure returns the manifest's first failure, or null
   */
  public FailureState(Supplier<@Nullable Throwable> manifestFailure) {
    this.manifestFailure = manifestFailure;
  }

  /** Ends the taking of writes; the first cause is the one that is told. */
  public void fail(Throwable failure) {
    cause.compareAndSet(null, failure);
  }

  /** Returns whether there was a failure. */
  public boolean isFailed() {
    return first() != null;
  }

  /** Throws if there was a failure. */
  public void check() throws DatabaseFailedException {
    Throwable first = first();
    if (first != null) {
      throw new DatabaseFailedException(first);
    }
  }

  private @Nullable Throwable first() {
    Throwable first = cause.get();
    return first == null ? manifestFailure.get() : first;
  }
}
