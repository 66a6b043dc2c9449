// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.Durability;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.thread.DaemonThreads;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits asynchronous batches. Thread-safe.
 *
 * <pre>
 *   callers ──► open group ──► commit thread: logs and forces the whole group once,
 *                                 │           adds it to memory, makes it visible
 *                                 └──► completion thread: completes the stages
 * </pre>
 *
 * <p>A caller adds its batch to the open group and returns. The commit thread takes the open group
 * as soon as it has committed the one before, so groups grow while the device works. Batches are
 * numbered in the order in which they were added.
 *
 * <p>The first caller of a group takes the gate of the {@link CommitPipeline} for the whole group,
 * and the commit thread releases it. So no store of the group is closed before the group is in
 * memory, and a thread that takes the gate exclusively, also to close the pipeline, waits for all
 * earlier groups.
 *
 * <p>The completion thread runs the actions that depend on the stages. They never delay a commit:
 * the commit thread waits only for the device and for earlier writes.
 *
 * <h2>Bounds</h2>
 *
 * A caller waits while the bytes of batches whose stages are not complete would exceed a limit. An
 * action that depends on a stage may submit batches as well. On the completion thread only
 * uncommitted bytes count, because it would otherwise wait for itself. A batch above the limit is
 * accepted alone.
 *
 * <p>The first batch starts both threads; {@link #close} ends them.
 */
public final class AsyncCommits {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncCommits.class);

  /** Approximate bytes of a batch beyond its payload. */
  private static final int BATCH_OVERHEAD_BYTES = 256;

  private static final long RETRY_NANOS = 1_000_000;

  /** How long closing waits for one action: it may be waiting for the end of closing itself. */
  private static final long ACTION_MILLIS_MAX = 10_000;

  private final CommitPipeline pipeline;
  private final FailureState failure;
  private final LongSupplier bytesMax;
  private final Consumer<Batch> onCommitted;
  private final ThreadFactory committers;
  private final ThreadFactory completers;

  /** Taken before the gate of the pipeline. The commit thread never takes it inside of a group. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Signals that there is a group to commit, or that there will be no more. */
  private final Condition submitted = lock.newCondition();

  /** Signals that a group was committed or completed, or that there will be no more. */
  private final Condition progress = lock.newCondition();

  /** Signals that there is a group to complete, or that there will be no more. */
  private final Condition committed = lock.newCondition();

  /** Counts the stages that are complete. */
  private final LongAdder completed = new LongAdder();

  @GuardedBy("lock")
  private @Nullable AsyncGroup open;

  /**
   * The committed groups whose stages are not complete yet, as a list by {@link AsyncGroup#next}.
   */
  @GuardedBy("lock")
  private @Nullable AsyncGroup firstCommitted;

  @GuardedBy("lock")
  private @Nullable AsyncGroup lastCommitted;

  @GuardedBy("lock")
  private long uncommittedBytes;

  @GuardedBy("lock")
  private long uncompletedBytes;

  @GuardedBy("lock")
  private long batchesSubmitted;

  @GuardedBy("lock")
  private long batchesCommitted;

  @GuardedBy("lock")
  private @Nullable Thread committer;

  @GuardedBy("lock")
  private @Nullable Thread completer;

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private boolean committerEnded;

  /**
   * Creates an object that commits to a pipeline; starts no thread.
   *
   * @param bytesMax how many bytes of batches may be in flight
   * @param onCommitted receives each batch that was committed, on the commit thread
   * @param committers makes the commit thread
   * @param completers makes the completion thread
   */
  public AsyncCommits(
      CommitPipeline pipeline,
      FailureState failure,
      LongSupplier bytesMax,
      Consumer<Batch> onCommitted,
      ThreadFactory committers,
      ThreadFactory completers) {
    this.pipeline = pipeline;
    this.failure = failure;
    this.bytesMax = bytesMax;
    this.onCommitted = onCommitted;
    this.committers = committers;
    this.completers = completers;
  }

  /**
   * Submits a batch; waits only while too many bytes are in flight. The stage completes when the
   * batch is visible and as durable as requested, or fails like {@link CommitPipeline#commit}.
   *
   * @param onVisible counts the batch; called before its stage completes, unless that fails
   * @throws io.accordiondb.internal.region.StoreClosedException if a store of the batch or the
   *     pipeline is closed; then nothing has happened
   */
  public CompletableFuture<@Nullable Void> submit(
      Batch batch, Durability durability, Runnable onVisible) throws IOException {
    long bytes = batch.payload().limit() + (long) BATCH_OVERHEAD_BYTES;
    Commit commit = new Commit(batch, durability, null);
    AsyncGroup.Pending pending = new AsyncGroup.Pending(new CompletableFuture<>(), onVisible);
    lock.lock();
    try {
      while (!closed && mustWait(bytes)) {
        progress.awaitUninterruptibly();
      }
      if (closed) {
        throw new StoreClosedException();
      }
      AsyncGroup group = open;
      if (group == null) {
        group = new AsyncGroup();
        group.begin(pipeline);
      }
      boolean added = false;
      try {
        startThreads();
        group.add(commit, pending, bytes);
        added = true;
      } finally {
        if (!added && open == null) {
          pipeline.endGroup(group.gateStamp());
        }
      }
      open = group;
      uncommittedBytes += bytes;
      uncompletedBytes += bytes;
      batchesSubmitted++;
      submitted.signal();
    } finally {
      lock.unlock();
    }
    return pending.stage();
  }

  /** Waits until all batches that were submitted before are visible, or have failed. */
  public void awaitSubmitted() {
    lock.lock();
    try {
      long mine = batchesSubmitted;
      while (batchesCommitted < mine) {
        progress.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean mustWait(long bytes) {
    long inFlight = Thread.currentThread() == completer ? uncommittedBytes : uncompletedBytes;
    return inFlight > 0 && inFlight + bytes > bytesMax.getAsLong();
  }

  @GuardedBy("lock")
  private void startThreads() {
    if (completer == null) {
      Thread thread = completers.newThread(this::completeGroups);
      thread.start();
      completer = thread;
    }
    if (committer == null) {
      Thread thread = committers.newThread(this::commitGroups);
      thread.start();
      committer = thread;
    }
  }

  private void commitGroups() {
    AsyncGroup group = null;
    while (true) {
      try {
        if (group == null) {
          group = nextSubmitted();
          if (group == null) {
            return;
          }
          commit(group);
          report(group);
        }
        handOver(group);
        group = null;
      } catch (Throwable e) {
        // If memory is out, even waiting for a lock may fail. That must not end the thread.
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Waits for a group to commit; returns null once there will be no more. */
  private @Nullable AsyncGroup nextSubmitted() {
    lock.lock();
    try {
      while (open == null && !closed) {
        submitted.awaitUninterruptibly();
      }
      AsyncGroup group = open;
      open = null;
      if (group == null) {
        committerEnded = true;
        committed.signal();
      }
      return group;
    } finally {
      lock.unlock();
    }
  }

  private void commit(AsyncGroup group) {
    try {
      pipeline.commit(group.commits());
    } catch (Throwable e) {
      // The stages report it: those whose commits are not visible fail.
      failure.fail(e);
    } finally {
      pipeline.endGroup(group.gateStamp());
    }
  }

  private void report(AsyncGroup group) {
    try {
      for (Commit commit : group.commits()) {
        if (pipeline.isVisible(commit)) {
          onCommitted.accept(commit.batch);
        }
      }
    } catch (Throwable e) {
      AsyncGroup.warn("what follows a commit has failed; a later commit tries it again", e);
    }
  }

  /** Passes the stages to the completion thread. */
  private void handOver(AsyncGroup group) {
    lock.lock();
    try {
      if (lastCommitted == null) {
        firstCommitted = group;
      } else {
        lastCommitted.next = group;
      }
      lastCommitted = group;
      uncommittedBytes -= group.bytes();
      batchesCommitted += group.commits().size();
      committed.signal();
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void completeGroups() {
    AsyncGroup group = null;
    while (true) {
      try {
        if (group == null) {
          group = nextCommitted();
          if (group == null) {
            return;
          }
          group.complete(pipeline, failure, completed);
        }
        release(group);
        group = null;
      } catch (Throwable e) {
        // As in the commit thread.
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void release(AsyncGroup completed) {
    lock.lock();
    try {
      uncompletedBytes -= completed.bytes();
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a group to complete; returns null once there will be no more. */
  private @Nullable AsyncGroup nextCommitted() {
    lock.lock();
    try {
      while (firstCommitted == null && !committerEnded) {
        committed.awaitUninterruptibly();
      }
      AsyncGroup group = firstCommitted;
      if (group != null) {
        firstCommitted = group.next;
        if (firstCommitted == null) {
          lastCommitted = null;
        }
      }
      return group;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all stages are complete, and ends the threads. The pipeline is closed already. On
   * the completion thread it does not wait, nor on any for ever while one action runs; the stages
   * behind are completed after it has returned.
   */
  public void close() {
    Thread committing;
    Thread completing;
    Locks.takeWhateverFails(lock);
    try {
      closed = true;
      committing = committer;
      completing = completer;
      committerEnded = committing == null;
      submitted.signal();
      committed.signal();
      progress.signalAll();
    } finally {
      lock.unlock();
    }
    DaemonThreads.awaitEnd(committing, 0);
    if (completing != null && completing != Thread.currentThread()) {
      awaitActions(completing);
    }
  }

  private void awaitActions(Thread completing) {
    long before;
    do {
      before = completed.sum();
      DaemonThreads.awaitEnd(completing, ACTION_MILLIS_MAX);
    } while (completing.isAlive() && completed.sum() > before);
    if (completing.isAlive()) {
      LOG.warn(
          "an action that depends on an asynchronous write was still running when the database"
              + " was closed; those behind it run later");
    }
  }
}
