// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asynchronous batches that are committed together, and their stages. Filled under the lock of
 * {@link AsyncCommits}; then it belongs to the commit thread, then to the completion thread.
 */
final class AsyncGroup {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncGroup.class);

  private long gateStamp;
  private final List<Commit> commits = new ArrayList<>();
  private final List<Pending> pending = new ArrayList<>();
  private long bytes;

  /** What follows a commit: it is counted if it is visible, and its stage is completed. */
  record Pending(CompletableFuture<@Nullable Void> stage, Runnable onVisible) {
    void complete() {
      try {
        onVisible.run();
      } catch (OutOfMemoryError e) {
        // It is not counted, but visible.
      }
      stage.complete(null);
    }
  }

  /** The group that was committed next, until this one is completed. */
  @Nullable AsyncGroup next;

  /**
   * Takes the gate for an empty group. Allocates nothing afterwards, because a failure would leak
   * the gate.
   */
  void begin(CommitPipeline pipeline) throws IOException {
    gateStamp = pipeline.beginGroup();
  }

  long gateStamp() {
    return gateStamp;
  }

  List<Commit> commits() {
    return commits;
  }

  long bytes() {
    return bytes;
  }

  /**
   * Adds a commit wholly or not at all.
   *
   * @throws io.accordiondb.internal.region.StoreClosedException if a store of its batch is closed
   */
  void add(Commit commit, Pending follows, long commitBytes) throws IOException {
    commit.batch.checkOpen();
    commits.add(commit);
    boolean added = false;
    try {
      added = pending.add(follows);
    } finally {
      if (!added) {
        commits.remove(commits.size() - 1);
      }
    }
    bytes += commitBytes;
  }

  /**
   * Completes all stages, even if actions that depend on them fail.
   *
   * @param completed counts each stage whose actions have run
   */
  void complete(CommitPipeline pipeline, FailureState failure, LongAdder completed) {
    for (int i = 0; i < pending.size(); i++) {
      CompletableFuture<@Nullable Void> stage = pending.get(i).stage();
      try {
        if (pipeline.isVisible(commits.get(i))) {
          pending.get(i).complete();
        } else {
          stage.completeExceptionally(failure.exception());
        }
      } catch (Throwable e) {
        warn("what depends on an asynchronous write could not be run", e);
        stage.completeExceptionally(e);
      }
      completed.increment();
    }
  }

  /** Logs a failure that does not end the thread. */
  static void warn(String what, Throwable failure) {
    try {
      LOG.warn(what, failure);
    } catch (Throwable e) {
      // There is no memory left to log it.
    }
  }
}
