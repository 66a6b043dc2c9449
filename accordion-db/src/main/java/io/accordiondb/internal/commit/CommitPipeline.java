// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.Durability;
import io.accordiondb.internal.commit.Visibility.InFlight;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.wal.SealedLog;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
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
 * <p>A batch is first encoded by its thread. It then enters a queue, unless nobody leads just then;
 * whoever gets the log lock leads: it gives numbers to all that is queued, appends it to the log,
 * and hands the log to the operating system or the device once for all, as far as any of them asks
 * for it. Then each thread adds its own cells to the memory stores, side by side. Batches become
 * visible in the order of their numbers.
 *
 * <p>From before a batch has its numbers until its cells are in memory, its thread holds the gate
 * in shared mode. Whoever needs a moment at which no write is under way, such as a flush that takes
 * the contents of memory, holds it exclusively by {@link #exclusively}.
 *
 * <p>A batch may be conditional on that no row it writes has been written since a read point: for
 * check-and-put, increment and append. The leader notices conflicts by a hash of the row; two rows
 * of one hash make a needless conflict, and the caller tries again.
 *
 * <p>If the log fails, nothing of the group is acknowledged, and every later commit fails with the
 * first cause; see {@link FailureState}.
 */
public final class CommitPipeline {
  private static final int ROW_SLOTS = 1 << 16;

  private final WriteAheadLog log;
  private final Visibility visibility;
  private final FailureState failure;
  private final StampedLock gate = new StampedLock();

  /** Guarded by gate. */
  private boolean closed;

  private final ConcurrentLinkedQueue<Commit> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock logLock = new ReentrantLock();
  private final LongAdder cellsCommitted = new LongAdder();

  // Guarded by logLock.
  private long lastSequence;
  private boolean logNeedsFlush;
  private final List<Commit> group = new ArrayList<>();

  /** The number of the last write to any row of a hash. Guarded by logLock. */
  private final long[] lastWriteByRow = new long[ROW_SLOTS];

  /**
   * Creates a pipeline.
   *
   * @param lastSequence the last number given out before; all of them are visible
   */
  public CommitPipeline(
      WriteAheadLog log, Visibility visibility, FailureState failure, long lastSequence) {
    this.log = log;
    this.visibility = visibility;
    this.failure = failure;
    this.lastSequence = lastSequence;
  }

  /** One batch on its way. Fields are written by the leader before the log lock is released. */
  private static final class Commit {
    final Batch batch;
    final Durability durability;
    final long readPoint;
    boolean decided;
    boolean conflict;
    long firstSequence;
    @Nullable InFlight inFlight;

    Commit(Batch batch, Durability durability, long readPoint) {
      this.batch = batch;
      this.durability = durability;
      this.readPoint = readPoint;
    }
  }

  /** Commits a batch; when this returns, it is as durable as asked for and visible to all. */
  public void commit(Batch batch, Durability durability) throws IOException {
    commitIf(batch, durability, Long.MAX_VALUE);
  }

  /**
   * Commits a batch unless a row it writes was written after a read point.
   *
   * @return false on such a conflict; then nothing has happened
   */
  public boolean commitIf(Batch batch, Durability durability, long readPoint) throws IOException {
    failure.check();
    Commit commit = new Commit(batch, durability, readPoint);
    long stamp = gate.readLock();
    try {
      if (closed) {
        throw new StoreClosedException();
      }
      for (Batch.Group cells : batch.groups()) {
        cells.store().checkOpen();
      }
      if (logLock.tryLock()) {
        // Nobody leads: no need to stand in the queue.
        try {
          lead(commit);
        } finally {
          logLock.unlock();
        }
      } else {
        queue.add(commit);
        awaitLead(commit);
      }
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
      cellsCommitted.add(batch.cellCount());
      return true;
    } finally {
      gate.unlockRead(stamp);
    }
  }

  /** A write that goes neither through the log nor through memory. */
  public interface BesideWrite {
    /**
     * Does the write, durably.
     *
     * @param sequence its number, which is visible afterwards
     */
    void run(long sequence) throws IOException;
  }

  /**
   * Does a write that makes itself durable, under a number of its own. What was written before it
   * is forced to the device first, so that after a crash this one is not there without those.
   */
  public void commitBeside(BesideWrite write) throws IOException {
    failure.check();
    long stamp = gate.readLock();
    try {
      if (closed) {
        throw new StoreClosedException();
      }
      InFlight inFlight = beginBeside();
      boolean visible;
      try {
        write.run(inFlight.lastSequence());
      } finally {
        // If it has failed, the number is a gap.
        visible = visibility.finish(inFlight);
      }
      if (!visible) {
        // It is durable, but a write before it has failed: nobody sees it before the next opening.
        throw failure.exception();
      }
    } finally {
      gate.unlockRead(stamp);
    }
  }

  /** Takes a sequence number for what is no write; returns it when it is visible. */
  public long skipSequence() {
    InFlight inFlight;
    logLock.lock();
    try {
      lastSequence++;
      inFlight = visibility.begin(lastSequence);
    } finally {
      logLock.unlock();
    }
    visibility.finish(inFlight);
    return inFlight.lastSequence();
  }

  private InFlight beginBeside() throws IOException {
    logLock.lock();
    try {
      failure.check();
      log.sync();
      lastSequence++;
      // Nobody knows which rows it writes.
      Arrays.fill(lastWriteByRow, lastSequence);
      return visibility.begin(lastSequence);
    } catch (Throwable e) {
      failure.fail(e);
      throw e;
    } finally {
      logLock.unlock();
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

  /** Waits for the writes under way and refuses all later ones. */
  public void close() {
    exclusively(() -> closed = true);
  }

  /** Returns the number of cells committed. */
  public long cellsCommitted() {
    return cellsCommitted.sum();
  }

  /**
   * Hands to the operating system what writes of {@link Durability#ASYNC} have left behind, and
   * checks that the log is still where it was.
   */
  public void flushLog() throws IOException {
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

  /**
   * Has the log note how far it and the manifest are on the device. If that fails the database has
   * failed.
   */
  public void noteInLog() {
    logLock.lock();
    try {
      if (!failure.isFailed()) {
        log.note();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.fail(e);
    } finally {
      logLock.unlock();
    }
  }

  /**
   * Forces the files of the log before the current one to the device, and notes that in the log.
   */
  public void syncClosedLogs() {
    try {
      if (!failure.isFailed()) {
        log.syncClosed();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.fail(e);
    }
    noteInLog();
  }

  /** Forces to the device all that has been logged before; later writes go on meanwhile. */
  public void syncLog() throws IOException {
    try {
      WriteAheadLog.Pending pending;
      logLock.lock();
      try {
        failure.check();
        logNeedsFlush = false;
        pending = log.flushForSync();
      } finally {
        logLock.unlock();
      }
      pending.sync();
    } catch (Throwable e) {
      failure.fail(e);
      throw e;
    }
  }

  /**
   * Forces the log to the device and begins a new log file; returns the files before it, oldest
   * first, which hold all that has a number now.
   */
  public List<SealedLog> sealLog() throws IOException {
    logLock.lock();
    try {
      failure.check();
      return log.seal();
    } catch (Throwable e) {
      failure.fail(e);
      throw e;
    } finally {
      logLock.unlock();
    }
  }

  /** Waits until somebody has led a commit that stands in the queue; this thread, if need be. */
  private void awaitLead(Commit queued) {
    logLock.lock();
    try {
      if (!queued.decided) {
        lead(null);
      }
    } finally {
      logLock.unlock();
    }
  }

  /**
   * Numbers and logs a commit and all that is queued. For who holds the log lock.
   *
   * @param own a commit that is not in the queue, or null
   */
  private void lead(@Nullable Commit own) {
    group.clear();
    try {
      if (own != null) {
        group.add(own);
      }
      for (Commit next = queue.poll(); next != null; next = queue.poll()) {
        group.add(next);
      }
      failure.check();
      logGroup();
    } catch (Throwable e) {
      failure.fail(e);
    }
    // Without an iterator: whatever has entered the order of visible writes must be let go on.
    for (int i = 0; i < group.size(); i++) {
      group.get(i).decided = true;
    }
  }

  private void logGroup() throws IOException {
    Durability strongest = Durability.SKIP;
    for (Commit commit : group) {
      if (conflicts(commit)) {
        commit.conflict = true;
        continue;
      }
      Batch batch = commit.batch;
      commit.firstSequence = lastSequence + 1;
      lastSequence += batch.cellCount();
      for (int hash : batch.rowHashes()) {
        lastWriteByRow[hash & (ROW_SLOTS - 1)] = lastSequence;
      }
      if (commit.durability != Durability.SKIP) {
        log.append(batch.logged(), batch.loggedCrc(), commit.firstSequence, batch.cellCount());
        if (commit.durability.compareTo(strongest) > 0) {
          strongest = commit.durability;
        }
      }
    }
    switch (strongest) {
      case SKIP -> {}
      case ASYNC -> logNeedsFlush = true;
      case SYNC -> log.flush();
      case FSYNC -> log.sync();
    }
    for (Commit commit : group) {
      if (!commit.conflict) {
        commit.inFlight = visibility.begin(commit.firstSequence + commit.batch.cellCount() - 1);
      }
    }
  }

  private boolean conflicts(Commit commit) {
    if (commit.readPoint == Long.MAX_VALUE) {
      return false;
    }
    for (int hash : commit.batch.rowHashes()) {
      if (lastWriteByRow[hash & (ROW_SLOTS - 1)] > commit.readPoint) {
        return true;
      }
    }
    return false;
  }

  private void addToMemory(Commit commit) {
    try {
      for (Batch.Group cells : commit.batch.groups()) {
        Store store = cells.store();
        store
            .memStore()
            .add(
                commit.batch.payload(),
                cells.offset(),
                cells.cellCount(),
                commit.firstSequence + cells.firstCell());
      }
    } catch (Throwable e) {
      // Logged but only partly in memory: it must never become visible.
      failure.fail(e);
      visibility.abandon();
      throw e;
    }
  }
}
