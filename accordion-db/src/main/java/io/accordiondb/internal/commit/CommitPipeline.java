// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.Durability;
import io.accordiondb.internal.commit.Visibility.InFlight;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.metrics.Operations;
import io.accordiondb.internal.metrics.Tally;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.wal.SealedLog;
import io.accordiondb.internal.wal.WriteAheadLog;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.statistics.OperationKind;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Commits batches. Thread-safe.
 *
 * <pre>
 *   writer threads ──► queue ──► leader: numbers, logs, syncs the whole queue
 *                                   │
 *   each writer again: ◄────────────┘  adds its own cells to memory, then waits to be visible
 * </pre>
 *
 * <p>A batch is first encoded by its thread. It then enters a queue, unless no leader is at work.
 * The thread that acquires the log lock becomes the leader: it gives sequence numbers to all queued
 * batches, appends them to the log, and flushes or syncs the log once for all of them, as the
 * strictest of them requires. Then each thread adds its own cells to the memory stores, in
 * parallel. Batches become visible in the order of their numbers. {@link GroupCommit} does the work
 * at the log.
 *
 * <p>A thread holds the gate in shared mode from before its batch has sequence numbers until its
 * cells are in memory. A thread that needs a moment without a write in progress, such as a flush
 * that takes its snapshot, holds the gate exclusively by {@link #exclusively}.
 *
 * <p>A batch may require that none of its rows has changed since a read point: check-and-put,
 * increment and append do. The leader detects conflicts by a hash of the row. Two rows with the
 * same hash cause a needless conflict, after which the caller retries. A {@link CommitCondition}
 * names further things that must not have changed. {@link #commitExclusively} is for callers whose
 * retries have failed several times.
 *
 * <p>Asynchronous batches are collected by {@link AsyncCommits}, whose thread commits many of them
 * as one group.
 *
 * <p>If the log fails, no batch of the group is acknowledged, and every later commit fails with the
 * first cause; after a failure that can pass, only until {@link #resume}. See {@link FailureState}.
 */
public final class CommitPipeline {
  private final GroupCommit groupCommit;
  private final Visibility visibility;
  private final FailureState failure;
  private final StampedLock gate = new StampedLock();

  /** Guarded by gate. */
  private boolean closed;

  private final Operations operations;

  /**
   * Creates a pipeline.
   *
   * @param lastSequence the last number given out before; all of them are visible
   * @param operations count what is committed, and how long it waits for the log
   */
  public CommitPipeline(
      WriteAheadLog log,
      Visibility visibility,
      FailureState failure,
      long lastSequence,
      Operations operations) {
    this.operations = operations;
    this.groupCommit = new GroupCommit(log, visibility, failure, lastSequence);
    this.visibility = visibility;
    this.failure = failure;
  }

  /** Commits a batch. On return it is visible, and as durable as requested. */
  public void commit(Batch batch, Durability durability) throws IOException {
    commit(new Commit(batch, durability, null));
  }

  /**
   * Commits a batch unless a row that it writes was written after a read point.
   *
   * @return false on such a conflict; then nothing has happened
   */
  public boolean commitIf(Batch batch, Durability durability, long readPoint) throws IOException {
    return commitIf(batch, durability, new CommitCondition(readPoint));
  }

  /**
   * Commits a batch unless a condition no longer holds, or a row that the batch writes was written
   * after the condition's read point.
   *
   * @return false on such a conflict; then nothing has happened
   * @throws StoreClosedException if a store of the batch or of the condition was closed
   */
  public boolean commitIf(Batch batch, Durability durability, CommitCondition condition)
      throws IOException {
    return commit(new Commit(batch, durability, condition));
  }

  private boolean commit(Commit commit) throws IOException {
    failure.check();
    long stamp = gate.readLock();
    try {
      return commitWithinGate(commit);
    } finally {
      gate.unlockRead(stamp);
    }
  }

  /**
   * Holds the gate in shared mode for a group of commits, until {@link #endGroup}.
   *
   * @return a stamp for {@link #endGroup}
   * @throws StoreClosedException if the pipeline is closed
   */
  long beginGroup() throws IOException {
    failure.check();
    long stamp = gate.readLock();
    if (closed) {
      gate.unlockRead(stamp);
      throw new StoreClosedException();
    }
    return stamp;
  }

  /** Releases the gate. Any thread may call this, once for each group. */
  void endGroup(long stamp) {
    gate.unlockRead(stamp);
  }

  /**
   * Commits several batches in their order, under one force of the log. The caller holds the gate
   * by {@link #beginGroup}, and has seen since then that the stores are open. Afterwards {@link
   * #isVisible} returns which of them have succeeded; for the others the database has failed.
   */
  void commit(List<Commit> commits) {
    // Get the tally now, because its allocation could fail.
    Tally tally = operations.tally();
    groupCommit.log(commits);
    InFlight last = null;
    // No iterator, because its allocation could fail: a batch that has its numbers must be ended.
    for (int i = 0; i < commits.size(); i++) {
      Commit commit = commits.get(i);
      InFlight inFlight = commit.inFlight;
      if (inFlight == null) {
        break;
      }
      addToMemory(commit);
      visibility.end(inFlight);
      countCommit(tally, commit.batch);
      last = inFlight;
    }
    if (last != null) {
      visibility.finish(last);
    }
  }

  /** Returns whether a commit has succeeded. */
  boolean isVisible(Commit commit) {
    InFlight inFlight = commit.inFlight;
    return inFlight != null && visibility.isVisible(inFlight);
  }

  /**
   * Commits a batch after a check, while no other write is in progress. All other writers wait for
   * it, so the check must be short.
   *
   * @param check throws if the batch must not be committed; must not write
   */
  public void commitExclusively(Batch batch, Durability durability, IoRunnable check)
      throws IOException {
    failure.check();
    long stamp = gate.writeLock();
    try {
      check.run();
      commitWithinGate(new Commit(batch, durability, null));
    } finally {
      gate.unlockWrite(stamp);
    }
  }

  /** Commits a batch by a thread that holds the gate; returns false on a conflict. */
  private boolean commitWithinGate(Commit commit) throws IOException {
    if (closed) {
      throw new StoreClosedException();
    }
    commit.batch.checkOpen();
    if (commit.condition != null) {
      for (Store store : commit.condition.stores()) {
        store.checkOpen();
      }
    }
    Tally tally = operations.tally();
    long logNanos = log(tally, commit);
    if (commit.conflict) {
      return false;
    }
    InFlight inFlight = commit.inFlight;
    if (inFlight == null) {
      throw failure.exception();
    }
    addToMemory(commit);
    if (!visibility.finish(inFlight)) {
      throw failure.exception();
    }
    tally.count(OperationKind.COMMIT_WAIT, 1);
    if (logNanos != Operations.NOT_TIMED) {
      operations.time(OperationKind.COMMIT_WAIT, logNanos);
    }
    countCommit(tally, commit.batch);
    return true;
  }

  /**
   * Logs a commit; returns for how long, or {@link Operations#NOT_TIMED} if the write to which it
   * belongs is not timed.
   */
  private long log(Tally tally, Commit commit) {
    if (!tally.isTiming()) {
      groupCommit.log(commit);
      return Operations.NOT_TIMED;
    }
    long begun = System.nanoTime();
    groupCommit.log(commit);
    long nanos = System.nanoTime() - begun;
    tally.addLogWait(nanos);
    return nanos;
  }

  private static void countCommit(Tally tally, Batch batch) {
    tally.countCommit(batch.cellCount(), batch.contentBytes());
  }

  /**
   * Runs a write that makes itself durable, under that many numbers of its own. All earlier writes
   * are forced to the device first, so that no crash leaves this write without them.
   */
  public void ingest(int count, Ingestion ingestion) throws IOException {
    failure.check();
    long stamp = gate.readLock();
    try {
      if (closed) {
        throw new StoreClosedException();
      }
      InFlight inFlight = groupCommit.beginIngestion(count);
      try {
        ingestion.run(inFlight.lastSequence() - count + 1);
      } catch (Throwable e) {
        // The numbers are a gap, unless some stores have their part already, and others do not.
        visibility.endFailed(inFlight, failure.isPermanent());
        throw e;
      }
      if (!visibility.finish(inFlight)) {
        // It is durable. But an earlier write has failed, so it becomes visible only at the next
        // opening.
        throw failure.exception();
      }
    } finally {
      gate.unlockRead(stamp);
    }
  }

  /** Allocates a sequence number that no write has; returns when it is visible. */
  public long skipSequence() throws IOException {
    // It is logged, because a change feed may have this number as its position.
    return groupCommit.note(LogNote.number());
  }

  /** Logs the last number, for later openings, because the log that reserved it may be deleted. */
  public void logLastSequence() throws IOException {
    if (groupCommit.isAheadOfLog()) {
      long unused = skipSequence();
    }
  }

  /** Runs an action while no write is between its number and memory. It must be short. */
  public void exclusively(Runnable action) {
    long stamp = gate.writeLock();
    try {
      action.run();
    } finally {
      gate.unlockWrite(stamp);
    }
  }

  /** Waits for the writes in progress and refuses all later ones. */
  public void close() {
    exclusively(() -> closed = true);
  }

  /**
   * Closes the log after running work on it. Later work on the log throws {@link
   * StoreClosedException}.
   */
  public void closeLog() throws IOException {
    groupCommit.close();
  }

  /**
   * Hands the buffered records of {@link Durability#ASYNC} writes to the operating system, and
   * checks that the log is still in its folder.
   */
  public void flushLog() throws IOException {
    // After a permanent failure nothing is written any more, and the folder may be gone for good:
    // the check would fail each time.
    if (!failure.isPermanent()) {
      groupCommit.flush();
    }
  }

  /**
   * Writes a link to the log that says how much of log and manifest is on the device, and hands it
   * to the operating system. If that fails the database has failed.
   */
  public void flushLogLink() {
    groupCommit.flushLink();
  }

  /** Does the upkeep of the log, and records it there. If that fails the database has failed. */
  public void keepUpLog() {
    groupCommit.keepUpLog();
  }

  /**
   * Resumes writes after a temporary failure of the log. The manifest must take commits.
   *
   * @throws io.accordiondb.WritesSuspendedException if the log cannot continue yet
   * @throws IOException if there is another failure
   */
  public void resume() throws IOException {
    groupCommit.resume();
  }

  /** Forces everything logged before to the device. Later writes do not wait for it. */
  public void syncLog() throws IOException {
    groupCommit.sync();
  }

  /**
   * Logs a note, and forces it to the device unless it only holds the time. Everything that was
   * committed before precedes it in the log.
   *
   * @return its sequence number, which is visible
   */
  public long note(LogNote note) throws IOException {
    return groupCommit.note(note);
  }

  /**
   * The log up to some moment.
   *
   * @param files oldest first; they no longer change
   * @param lastSequence the last number given out
   * @param lastNote the note at the end of the files; null for none
   */
  public record Sealed(List<SealedLog> files, long lastSequence, @Nullable LogNote lastNote) {}

  /**
   * Forces the log to the device and begins a new log file; returns the files before it, which hold
   * all writes that have a number now.
   *
   * @param lastNote returns the note to write at the end of these files, or null; must not wait
   */
  public Sealed sealLog(Supplier<@Nullable LogNote> lastNote) throws IOException {
    return groupCommit.seal(lastNote);
  }

  private void addToMemory(Commit commit) {
    try {
      Batch batch = commit.batch;
      long first = commit.firstSequence;
      for (StoreCells cells : batch.groups()) {
        MemStore memory = cells.store().memStore();
        if (commit.durability == Durability.SKIP) {
          memory.holdOldestSequence(Math.min(visibility.visible() + 1, commit.logNeededFrom));
        }
        if (cells.deletesRanges()) {
          RangeCells.forEach(
              batch.payload(), cells.offset(), cells.cellCount(), first, memory::deleteRange);
        } else {
          memory.add(batch.payload(), cells.offset(), cells.cellCount(), first, cells.format());
        }
        first += cells.cellCount();
      }
    } catch (Throwable e) {
      // Logged but only partly in memory: it must never become visible.
      failure.fail(e);
      visibility.abandon();
      throw e;
    }
  }
}
