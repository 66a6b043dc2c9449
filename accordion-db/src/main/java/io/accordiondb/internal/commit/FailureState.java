// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.DatabaseFailedException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database still takes writes. After the first failure it never does again until it is
 * closed and opened, because what the device or the memory holds is unknown. Thread-safe.
 *
 * <h2>What is a failure</h2>
 *
 * Any throwable, an {@link Error} as well as an I/O error, that ends one of these steps early:
 *
 * <ul>
 *   <li>In the log, from the first byte of a record or a link that is put anywhere to the last
 *       field that is updated for it: appending, flushing, syncing, beginning the next file. That
 *       holds for every thread that does it, whether or not a write waits for it.
 *   <li>Of a batch, from its record in the log to its last cell in memory.
 *   <li>In the manifest, from the first byte of a commit to the last step that lets the open
 *       database have what the commit has recorded: see {@link
 *       io.accordiondb.internal.manifest.Manifest#commit(java.util.List, Runnable)}.
 *   <li>The folder of the database is not where it was any more.
 * </ul>
 *
 * What happens before the first byte is no failure: nothing has changed, and the caller may try
 * again. So everything that can be allocated or checked before is.
 *
 * <p>Whoever meets a failure calls {@link #fail} before it releases the lock that it holds, so that
 * nothing is acknowledged behind it. Beside that, the log, each of its files and the manifest
 * refuse to go on after their own failures, in case the state was not reached: an error may come in
 * the handler of another one.
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

  /** Stops accepting writes; the first cause is reported. */
  public void fail(Throwable failure) {
    if (first() == null) {
      cause.compareAndSet(null, failure);
    }
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

  /** Returns the exception that refuses a write after a failure. */
  DatabaseFailedException exception() {
    return new DatabaseFailedException(first());
  }

  private @Nullable Throwable first() {
    Throwable first = cause.get();
    return first == null ? manifestFailure.get() : first;
  }
}
