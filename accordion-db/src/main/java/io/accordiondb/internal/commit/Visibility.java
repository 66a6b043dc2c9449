// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The sequence number up to which writes are visible. Writes are numbered in one order and finish
 * in another; a write becomes visible when it and all before it have finished. Thread-safe.
 *
 * <p>The writes in flight are a linked list in the order of their numbers. The thread that sets
 * {@link #publishing} publishes: it follows the list as long as writes have finished, and wakes the
 * threads that wait for them. A thread that finds the flag set leaves its write to the publisher,
 * which checks the list again after it has cleared the flag. So finishing a write takes no lock,
 * and waiting parks the thread; a virtual thread releases its carrier.
 *
 * <p>A waiting thread first stores itself into its write and then looks at {@link #visible}; the
 * publisher stores {@link #visible} first and then looks for a waiting thread. All four are
 * volatile, so one of them sees the other.
 */
public final class Visibility {
  /** The last write that is visible; the writes in flight follow it. Changed by the publisher. */
  private InFlight lastVisible = new InFlight(0);

  /** The write that was entered last. Changed by {@link #begin}, one thread at a time. */
  private InFlight newest = lastVisible;

  private final AtomicBoolean publishing = new AtomicBoolean();

  /** Written by the publisher. */
  private volatile long visible;

  private volatile boolean broken;

  /** Whether the threads that wait were woken since {@link #broken} was set. */
  private volatile boolean brokenTold;

  /** A write that has its numbers and is not visible yet. */
  static final class InFlight {
    private final long lastSequence;
    private volatile boolean finished;
    private volatile @Nullable Thread waiting;

    /** The write after this one; null again once that one is visible. */
    private volatile @Nullable InFlight next;

    private InFlight(long lastSequence) {
      this.lastSequence = lastSequence;
    }

    long lastSequence() {
      return lastSequence;
    }
  }

  /** Returns the number up to which all writes are visible. */
  public long visible() {
    return visible;
  }

  /**
   * Makes everything that was read from the log visible, up to a number. Called before any write.
   */
  public void recoverTo(long sequence) {
    visible = Math.max(visible, sequence);
  }

  /** Enters a write; called in the order of the numbers, by one thread at a time. */
  InFlight begin(long lastSequence) {
    InFlight write = new InFlight(lastSequence);
    newest.next = write;
    newest = write;
    return write;
  }

  /** Ends a write, which becomes visible once all earlier ones have ended. Does not wait. */
  void end(InFlight write) {
    write.finished = true;
    publish();
  }

  /**
   * Ends a write and waits until it is visible, that is, until all earlier ones have ended.
   *
   * @return false if it will never be visible, because an earlier one has failed
   */
  boolean finish(InFlight write) {
    end(write);
    if (!isVisible(write)) {
      await(write);
    }
    return isVisible(write);
  }

  boolean isVisible(InFlight write) {
    return visible >= write.lastSequence;
  }

  private void await(InFlight write) {
    boolean interrupted = false;
    write.waiting = Thread.currentThread();
    while (!isVisible(write) && !broken) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    write.waiting = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Gives up a write that was entered and could not be finished: neither it nor any later write
   * becomes visible.
   */
  void abandon() {
    broken = true;
    publish();
  }

  /**
   * Ends a write that has failed. Does not wait.
   *
   * @param isPartial whether a part of it may be there, which must never become visible
   */
  void endFailed(InFlight write, boolean isPartial) {
    if (isPartial) {
      abandon();
    } else {
      end(write);
    }
  }

  private void publish() {
    InFlight last;
    do {
      if (!publishing.compareAndSet(false, true)) {
        return;
      }
      last = advance();
      publishing.set(false);
      // Publish writes that other threads have left to this one in the meantime.
    } while (hasFinished(last.next) || broken && !brokenTold);
  }

  /** Makes finished writes visible, and returns the last visible one. */
  private InFlight advance() {
    InFlight last = lastVisible;
    InFlight next = last.next;
    while (next != null && next.finished) {
      visible = next.lastSequence;
      wake(next);
      // Otherwise a write that has outlived a garbage collection would keep all later ones alive.
      last.next = null;
      last = next;
      next = last.next;
    }
    lastVisible = last;
    if (broken) {
      for (InFlight waiting = next; waiting != null; waiting = waiting.next) {
        wake(waiting);
      }
      brokenTold = true;
    }
    return last;
  }

  private static boolean hasFinished(@Nullable InFlight write) {
    return write != null && write.finished;
  }

  private static void wake(InFlight write) {
    Thread waiting = write.waiting;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }
}
