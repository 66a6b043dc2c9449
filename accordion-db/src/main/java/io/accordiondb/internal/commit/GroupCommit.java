// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.Durability;
import io.accordiondb.internal.commit.Visibility.InFlight;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Numbers batches and appends them to the log, a group at a time. Thread-safe.
 *
 * <p>A batch enters a queue, unless no leader is at work. The thread that acquires the log lock
 * becomes the leader: it numbers and logs all queued batches, and flushes or syncs the log once for
 * all of them, as the strictest of them requires. All other work on the log takes the same lock.
 *
 * <p>Any failure here fails the database before the lock is released: see {@link FailureState}.
 * After {@link #close} the log is not touched: what comes then is refused.
 */
final class GroupCommit {
  /** Made in advance: a thread that has waited for the log may have no memory for it. */
  private static final List<Commit> NO_OTHERS = List.of();

  private final WriteAheadLog log;
  private final Visibility visibility;
  private final FailureState failure;
  private final ConcurrentLinkedQueue<Commit> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock logLock = new ReentrantLock();

  @GuardedBy("logLock")
  private long lastSequence;

  @GuardedBy("logLock")
  private final ReservedNumbers reserved;

  @GuardedBy("logLock")
  private boolean logNeedsFlush;

  private volatile boolean closed;

  @GuardedBy("logLock")
  private final List<Commit> group = new ArrayList<>();

  @GuardedBy("logLock")
  private final LastWrites lastWrites = new LastWrites();

  /**
   * Creates a queue in front of a log.
   *
   * @param lastSequence the last number given out before
   */
  GroupCommit(WriteAheadLog log, Visibility visibility, FailureState failure, long lastSequence) {
    this.log = log;
    this.reserved = new ReservedNumbers(log);
    this.visibility = visibility;
    this.failure = failure;
    this.lastSequence = lastSequence;
  }

  /** Numbers and logs a commit. When this returns, the fields of the commit hold the outcome. */
  void log(Commit commit) {
    if (logLock.tryLock()) {
      // No leader is at work: no need to enter the queue.
      try {
        lead(commit, NO_OTHERS);
      } finally {
        logLock.unlock();
      }
    } else {
      queue.add(commit);
      awaitLead(commit);
    }
  }

  /** Same for commits in their order, as one group, with what is queued behind them. */
  void log(List<Commit> commits) {
    logLock.lock();
    try {
      lead(null, commits);
    } finally {
      logLock.unlock();
    }
  }

  /**
   * Waits until a leader has committed a batch in the queue. If there is no leader, this thread
   * becomes the leader. It does not give up, because a leader that finds the batch counts on this
   * thread to add it to memory.
   */
  private void awaitLead(Commit queued) {
    Locks.takeWhateverFails(logLock);
    try {
      if (!queued.decided) {
        lead(null, NO_OTHERS);
      }
    } finally {
      logLock.unlock();
    }
  }

  /**
   * Numbers and logs commits and all that is queued.
   *
   * @param own a commit that is not in the queue, or null
   * @param others further commits that are not in the queue
   */
  @GuardedBy("logLock")
  private void lead(@Nullable Commit own, List<Commit> others) {
    group.clear();
    try {
      if (own != null) {
        group.add(own);
      }
      for (int i = 0; i < others.size(); i++) {
        group.add(others.get(i));
      }
      for (Commit next = queue.poll(); next != null; next = queue.poll()) {
        group.add(next);
      }
      failure.check();
      logGroup();
    } catch (Throwable e) {
      failure.fail(e);
    }
    // No iterator, because its allocation could fail: every write that has entered the order of
    // visibility must leave it.
    for (int i = 0; i < group.size(); i++) {
      group.get(i).decided = true;
    }
    // Else the batches would stay on the heap until the next commit.
    group.clear();
  }

  @GuardedBy("logLock")
  private void logGroup() throws IOException {
    Durability strongest = Durability.SKIP;
    for (Commit commit : group) {
      if (conflicts(commit)) {
        commit.conflict = true;
        continue;
      }
      Batch batch = lastWrites.inOrder(commit.batch);
      commit.batch = batch;
      if (commit.durability == Durability.SKIP
          && reserve(commit)
          && strongest != Durability.FSYNC) {
        strongest = Durability.SYNC;
      }
      commit.firstSequence = lastSequence + 1;
      lastSequence += batch.cellCount();
      lastWrites.add(batch, lastSequence);
      if (commit.durability != Durability.SKIP) {
        log.append(batch.logged(), batch.loggedCrc(), commit.firstSequence, batch.cellCount());
        if (commit.durability.compareTo(strongest) > 0) {
          strongest = commit.durability;
        }
      }
    }
    switch (strongest) {
      case SKIP -> {}
      case ASYNC -> {
        log.settle();
        logNeedsFlush = true;
      }
      case SYNC -> log.flush();
      case FSYNC -> log.sync();
    }
    for (Commit commit : group) {
      if (!commit.conflict) {
        commit.inFlight = visibility.begin(commit.firstSequence + commit.batch.cellCount() - 1);
      }
    }
  }

  /** Reserves the numbers of an unlogged commit; returns whether that has appended a note. */
  @GuardedBy("logLock")
  private boolean reserve(Commit unlogged) throws IOException {
    long before = lastSequence;
    lastSequence = reserved.reserve(before, unlogged.batch.cellCount());
    unlogged.logNeededFrom = reserved.noteSequence();
    return lastSequence > before;
  }

  @GuardedBy("logLock")
  private boolean conflicts(Commit commit) {
    CommitCondition condition = commit.condition;
    if (condition == null) {
      return false;
    }
    long readPoint = condition.readPoint();
    return lastWrites.isAnyAfter(readPoint, commit.batch)
        || (condition.nothingWritten() && lastSequence > readPoint)
        || lastWrites.isAnyAfter(readPoint, condition.rowHashes());
  }

  /** Forces the log to the device, and takes numbers for a write that is not logged. */
  InFlight beginIngestion(int count) throws IOException {
    logLock.lock();
    try {
      failure.check();
      lastSequence = reserved.reserve(lastSequence, count);
      log.sync();
      lastSequence += count;
      lastWrites.addToAnyRow(lastSequence);
      return visibility.begin(lastSequence);
    } catch (Throwable e) {
      failure.fail(e);
      throw e;
    } finally {
      logLock.unlock();
    }
  }

  /** See {@link CommitPipeline#flushLog}. */
  void flush() throws IOException {
    logLock.lock();
    try {
      log.checkFolder();
      if (logNeedsFlush && !failure.isFailed()) {
        logNeedsFlush = false;
        log.flush();
      }
    } catch (Throwable e) {
      failure.fail(e);
      throw e;
    } finally {
      logLock.unlock();
    }
  }

  /** See {@link CommitPipeline#flushLogLink}. */
  void flushLink() {
    // A commit of the manifest is in force, so its caller must not take it for failed.
    Locks.takeWhateverFails(logLock);
    try {
      if (!closed && !failure.isFailed()) {
        log.flushLink();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.fail(e);
    } finally {
      logLock.unlock();
    }
  }

  /** See {@link CommitPipeline#keepUpLog}. */
  void keepUpLog() {
    try {
      if (!failure.isFailed()) {
        log.upkeep();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.fail(e);
    }
    flushLink();
  }

  /** See {@link CommitPipeline#syncLog}. */
  void sync() throws IOException {
    try {
      IoRunnable sync;
      lockOpen();
      try {
        failure.check();
        logNeedsFlush = false;
        sync = log.flushForSync();
      } finally {
        logLock.unlock();
      }
      sync.run();
      // The log may have failed and been closed since, and syncing a closed file forces nothing.
      failure.check();
    } catch (Throwable e) {
      if (closed) {
        // Closing has forced the log, or has said that it could not.
        throw new StoreClosedException();
      }
      failure.fail(e);
      throw e;
    }
  }

  /** See {@link CommitPipeline#resume}. */
  void resume() throws IOException {
    lockOpen();
    try {
      if (failure.isSuspended()) {
        log.resume();
        if (lastSequence > visibility.visible()) {
          // Pass the numbers of refused writes: no reader gets them, so each later condition on
          // their rows would fail.
          visibility.end(append(LogNote.number()));
        }
        failure.resume();
      }
    } catch (IOException e) {
      failure.fail(e);
    } catch (Throwable e) {
      failure.fail(e);
      throw e;
    } finally {
      logLock.unlock();
    }
    failure.check();
  }

  /** Returns whether numbers were given out behind the last one of the log. */
  boolean isAheadOfLog() {
    logLock.lock();
    try {
      return lastSequence > log.lastSequence();
    } finally {
      logLock.unlock();
    }
  }

  /** See {@link CommitPipeline#note}. */
  long note(LogNote note) throws IOException {
    InFlight noted;
    lockOpen();
    try {
      failure.check();
      noted = append(note);
    } catch (Throwable e) {
      failure.fail(e);
      throw e;
    } finally {
      logLock.unlock();
    }
    visibility.finish(noted);
    if (note.kind() != LogNote.Kind.TIME && note.kind() != LogNote.Kind.NUMBER) {
      sync();
    }
    return noted.lastSequence();
  }

  /** Logs a note as a write of ASYNC, under a number of its own. */
  @GuardedBy("logLock")
  private InFlight append(LogNote note) throws IOException {
    lastSequence++;
    note.appendTo(log, lastSequence);
    log.settle();
    logNeedsFlush = true;
    return visibility.begin(lastSequence);
  }

  /** See {@link CommitPipeline#sealLog}. */
  CommitPipeline.Sealed seal(Supplier<@Nullable LogNote> lastNote) throws IOException {
    InFlight noted = null;
    try {
      lockOpen();
      try {
        failure.check();
        LogNote note = lastNote.get();
        if (note != null) {
          noted = append(note);
        }
        return new CommitPipeline.Sealed(log.seal(), lastSequence, note);
      } catch (Throwable e) {
        failure.fail(e);
        throw e;
      } finally {
        logLock.unlock();
      }
    } finally {
      if (noted != null) {
        visibility.finish(noted);
      }
    }
  }

  /** See {@link CommitPipeline#closeLog}. */
  void close() throws IOException {
    logLock.lock();
    try {
      closed = true;
      log.close();
    } finally {
      logLock.unlock();
    }
  }

  /** Takes the lock of the log, unless the log is closed. */
  private void lockOpen() throws StoreClosedException {
    logLock.lock();
    if (closed) {
      logLock.unlock();
      throw new StoreClosedException();
    }
  }
}
