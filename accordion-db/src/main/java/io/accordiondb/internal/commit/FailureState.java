// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.failure.FirstFailure;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database still accepts writes. After the first failure it refuses them until it is
 * closed and opened again, because what the device or the memory holds is unknown. Thread-safe.
 *
 * <p>A {@link WritesSuspendedException} is a failure that can pass: log and manifest know what the
 * files hold, and {@link #resume} allows writes again once they can continue.
 *
 * <h2>What is a failure</h2>
 *
 * Any throwable, whether an {@link Error} or an I/O error, that ends one of these steps early:
 *
 * <ul>
 *   <li>In the log, from the first byte of a record or a link that is written anywhere to the last
 *       field that is updated for it: appending, flushing, syncing, starting the next file. This
 *       applies to every thread, whether or not a write waits for it.
 *   <li>Of a batch, from its record in the log to its last cell in memory.
 *   <li>In the manifest, from the first byte of a commit to the last step that applies the commit
 *       to the open database: see {@link
 *       io.accordiondb.internal.manifest.Manifest#commit(java.util.List, Runnable)}.
 *   <li>The check that the folder of the database is still where it was.
 * </ul>
 *
 * An error before the first byte is not a failure: nothing has changed, and the caller may try
 * again. So the code allocates and checks everything it can before that.
 *
 * <p>A thread that encounters a failure calls {@link #fail} before it releases its lock, so that no
 * later write is acknowledged. In addition, the log, each of its files and the manifest refuse to
 * continue after their own failures, in case {@link #fail} was not reached: an error may occur in
 * the handler of another error.
 */
public final class FailureState {
  private final FirstFailure cause = new FirstFailure();
  private volatile @Nullable Throwable latest;
  private final Supplier<@Nullable Throwable> manifestFailure;

  /**
   * Creates a state without failure.
   *
   * @param manifestFailure returns the manifest's first failure, or null
   */
  public FailureState(Supplier<@Nullable Throwable> manifestFailure) {
    this.manifestFailure = manifestFailure;
  }

  /**
   * Stops accepting writes. The first cause is reported, but a permanent one replaces a temporary
   * one.
   */
  public void fail(Throwable failure) {
    Throwable ofManifest = manifestFailure.get();
    if (ofManifest == null || FirstFailure.passes(ofManifest)) {
      cause.record(failure);
      latest = failure;
    }
  }

  /** Accepts writes again, unless there is a permanent failure. */
  void resume() {
    cause.clear();
  }

  /** Returns whether there was a failure, and all failures are temporary. */
  public boolean isSuspended() {
    return FirstFailure.passes(first());
  }

  /** Returns whether there was a failure. */
  public boolean isFailed() {
    return first() != null;
  }

  /** Returns whether there was a failure that does not pass. */
  boolean isPermanent() {
    Throwable first = first();
    return first != null && !FirstFailure.passes(first);
  }

  /** Throws if there was a failure. */
  public void check() throws DatabaseFailedException {
    Throwable first = first();
    if (first != null) {
      throw FirstFailure.refusal(first);
    }
  }

  /** Throws if there was a permanent failure; then a store that is closed may stay closed. */
  public void checkPermanent() throws DatabaseFailedException {
    if (isPermanent()) {
      throw FirstFailure.refusal(first());
    }
  }

  /** Returns the exception that refuses a write after a failure, which may have passed by now. */
  DatabaseFailedException exception() {
    Throwable first = first();
    return FirstFailure.refusal(first == null ? latest : first);
  }

  /** Returns the failure because of which writes are refused now; null if they are not. */
  public @Nullable Throwable first() {
    Throwable first = cause.get();
    Throwable ofManifest = manifestFailure.get();
    if (first == null) {
      return ofManifest;
    }
    return FirstFailure.passes(first) && ofManifest != null ? ofManifest : first;
  }
}
