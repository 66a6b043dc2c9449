// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;

/**
 * The sequence number up to which writes are visible. Writes are numbered in one order and finish
 * in another; a write becomes visible when it and all before it have finished. Thread-safe.
 */
public final class Visibility {
  /** Writes in the order of their numbers, from the first unfinished on. */
  @GuardedBy("this")
  private final ArrayDeque<InFlight> inFlight = new ArrayDeque<>();

  /** Written under this. */
  private volatile long visible;

  @GuardedBy("this")
  private boolean broken;

  /** A write that has its numbers and is not visible yet. */
  static final class InFlight {
    private final long lastSequence;
    private boolean finished;

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

  /** Makes all up to a number visible, which was read from the log before any write. */
  public synchronized void recoverTo(long sequence) {
    visible = Math.max(visible, sequence);
  }

  /** Enters a write; called in the order of the numbers. */
  synchronized InFlight begin(long lastSequence) {
    InFlight write = new InFlight(lastSequence);
    boolean entered = false;
    try {
      inFlight.add(write);
      entered = true;
    } finally {
      if (!entered) {
        // The queue may be damaged, so nobody waits for what is in it.
        abandon();
      }
    }
    return write;
  }

  /**
   * Ends a write and waits until it is visible, which takes as long as those before it.
   *
   * @return false if it never will be, because one before it has failed
   */
  synchronized boolean finish(InFlight write) {
    write.finished = true;
    publish();
    boolean interrupted = false;
    while (visible < write.lastSequence && !broken) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return visible >= write.lastSequence;
  }

  /** Gives up a write that was entered and could not be finished: none from it on gets visible. */
  synchronized void abandon() {
    broken = true;
    notifyAll();
  }

  @GuardedBy("this")
  private void publish() {
    InFlight first = inFlight.peek();
    boolean advanced = false;
    while (first != null && first.finished) {
      visible = first.lastSequence;
      inFlight.remove();
      advanced = true;
      first = inFlight.peek();
    }
    if (advanced) {
      notifyAll();
    }
  }
}
