// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.internal.commit.Batch;
import io.accordiondb.internal.pause.Pause;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Locks that serialize the read-modify-writes of one row. Thread-safe. Blind writes take no lock:
 * the commit pipeline detects one that comes between the read and the write, and so it does with
 * commits of transactions. If that happens to a read-modify-write again and again, blind writes and
 * commits of its rows wait for its end. They do not wait for the next one, so that neither kind of
 * write keeps the other from ending.
 */
final class RowLocks {
  private static final int STRIPES = 256;

  /** Overtaken this number of times, a read-modify-write has blind writes of its rows wait. */
  private static final int ATTEMPTS_BEFORE_TURN = 8;

  private static final long PAUSE_NANOS = 10_000;

  private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];
  private final Set<Turn> turns = ConcurrentHashMap.newKeySet();

  /**
   * The turn of a read-modify-write, for which blind writes and transactions wait.
   *
   * @param order its stripes, ascending
   * @param lock is locked until it ends; its own thread never waits for it
   */
  private record Turn(int[] order, ReentrantLock lock) {
    void await() {
      lock.lock();
      lock.unlock();
    }
  }

  RowLocks() {
    Arrays.setAll(stripes, i -> new ReentrantLock());
  }

  /** Locks rows until the returned claim is closed. */
  Claim lock(Collection<byte[]> rows) {
    // All threads use one order, so there is no deadlock.
    Claim claim = new Claim(stripesOf(rows).sorted().distinct().toArray());
    claim.lock();
    return claim;
  }

  private static IntStream stripesOf(Collection<byte[]> rows) {
    return rows.stream().mapToInt(row -> Batch.hashOf(row) & (STRIPES - 1));
  }

  /** Returns whether blind writes must call {@link #awaitTurns(Collection)} first. */
  boolean hasTurns() {
    return !turns.isEmpty();
  }

  /** Waits for the end of the turns that concern any of the rows. */
  void awaitTurns(Collection<byte[]> rows) {
    for (Turn turn : turns) {
      if (stripesOf(rows).anyMatch(stripe -> Arrays.binarySearch(turn.order, stripe) >= 0)) {
        turn.await();
      }
    }
  }

  /** Waits for the end of all turns, for a write of rows that are not known. */
  void awaitTurns() {
    for (Turn turn : turns) {
      turn.await();
    }
  }

  /** Locked rows. */
  final class Claim implements AutoCloseable {
    private final int[] order;

    /** The number of stripes that are locked. */
    private int locked;

    /** How often another write has come between the read and the write. */
    private int overtaken;

    private @Nullable Turn turn;

    private Claim(int[] order) {
      this.order = order;
    }

    /** Locks all stripes, or none if there is no memory to wait for one. */
    private void lock() {
      boolean done = false;
      try {
        for (; locked < order.length; locked++) {
          stripes[order[locked]].lock();
        }
        done = true;
      } finally {
        if (!done) {
          close();
        }
      }
    }

    /** Prepares another attempt, after one that another write has overtaken. */
    void beforeNextAttempt() {
      overtaken++;
      if (overtaken == ATTEMPTS_BEFORE_TURN) {
        takeTurn();
      } else if (overtaken > ATTEMPTS_BEFORE_TURN) {
        // Each attempt fails until the other write is visible. A virtual thread that only tried
        // again could keep the carrier that the thread of the other write needs.
        Pause.uninterruptibly(PAUSE_NANOS);
      }
    }

    /** Makes blind writes that begin from now on wait until the claim is closed. */
    private void takeTurn() {
      Turn taken = new Turn(order, new ReentrantLock());
      taken.lock.lock();
      turn = taken;
      turns.add(taken);
    }

    @Override
    public void close() {
      Turn taken = turn;
      if (taken != null) {
        turns.remove(taken);
        taken.lock.unlock();
      }
      for (int i = 0; i < locked; i++) {
        stripes[order[i]].unlock();
      }
    }
  }
}
