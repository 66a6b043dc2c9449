// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;

/**
 * The part of the heap that large writes may hold together while they are encoded and committed.
 * Thread-safe. Writes take room in the order in which they arrive, so that a very large one is not
 * overtaken forever. One that is larger than the whole room has it alone.
 */
final class WriteRoom {
  /** The place of a write in the queue. */
  static final class Turn {
    private @Nullable Turn next;
  }

  private final long bytesMax;

  @GuardedBy("this")
  private long bytesTaken;

  /** The first of the writes that have no room yet, in the order of their arrival. */
  @GuardedBy("this")
  private @Nullable Turn first;

  WriteRoom(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  long bytesMax() {
    return bytesMax;
  }

  synchronized long bytesTaken() {
    return bytesTaken;
  }

  /**
   * Lets a write wait for its turn; it must {@link #tryTake} room or {@link #leave}. Allocates
   * nothing, because it must not fail half-way.
   */
  synchronized void enter(Turn turn) {
    if (first == null) {
      first = turn;
      return;
    }
    Turn last = first;
    while (last.next != null) {
      last = last.next;
    }
    last.next = turn;
  }

  /** Returns whether it is the write's turn and there was room, which it now has. */
  synchronized boolean tryTake(Turn turn, long bytes) {
    if (first != turn || (bytesTaken > 0 && bytesTaken + bytes > bytesMax)) {
      return false;
    }
    first = turn.next;
    bytesTaken += bytes;
    return true;
  }

  /** Ends the wait of a write that got no room. */
  synchronized void leave(Turn turn) {
    if (first == turn) {
      first = turn.next;
      return;
    }
    for (Turn each = first; each != null; each = each.next) {
      if (each.next == turn) {
        each.next = turn.next;
      }
    }
  }

  synchronized void release(long bytes) {
    bytesTaken -= bytes;
  }
}
