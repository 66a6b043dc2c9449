// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.WritesSuspendedException;
import io.accordiondb.internal.failure.FirstFailure;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database still takes writes. After the first failure it never does again until it is
 * closed and opened, because what the device or the memory holds is unknown. Thread-safe.
 *
 * <p>A {@link WritesSuspendedException} is a failure that passes: log and manifest know what the
 * files hold, and {@link #resume} lets writes in again once they go on.
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
 * <p>A thread that encounters a failure calls {@link #fail} before it releases its lock, so that
 * nothing is acknowledged behind it. Beside that, the log, each of its files and the manifest
 * refuse to go on after their own failures, in case the state was not reached: an error may come in
 * the handler of another one.
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
   * Stops accepting writes. The first cause is reported; one that does not pass takes the place of
   * one that does.
   */
  public void fail(Throwable failure) {
    Throwable ofManifest = manifestFailure.get();
    if (ofManifest == null || FirstFailure.passes(ofManifest)) {
      cause.record(failure);
      latest = failure;
    }
  }

  /** Accepts writes again, unless there is a failure that does not pass. */
  void resume() {
    cause.clear();
  }

  /** Returns whether there was a failure, and all of them pass. */
  public boolean isSuspended() {
    return FirstFailure.passes(first());
  }

  /** Returns whether there was a failure. */
  public boolean isFailed() {
    return first() != null;
  }

  /** Throws if there was a failure. */
  public void check() throws DatabaseFailedException {
    Throwable first = first();
    if (first != null) {
      throw FirstFailure.refusal(first);
    }
  }

  /** Returns the exception that refuses a write after a failure, which may have passed by now. */
  DatabaseFailedException exception() {
    Throwable first = first();
    return FirstFailure.refusal(first == null ? latest : first);
  }

  private @Nullable Throwable first() {
    Throwable first = cause.get();
    Throwable ofManifest = manifestFailure.get();
    if (first == null) {
      return ofManifest;
    }
    return FirstFailure.passes(first) && ofManifest != null ? ofManifest : first;
  }
}
