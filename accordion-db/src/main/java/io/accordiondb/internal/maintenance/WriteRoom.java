// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The part of the heap that large writes may hold together while they are encoded and committed.
 * Thread-safe. Writes take room in the order in which they arrive, so that a very large one is not
 * overtaken forever. One that is larger than the whole room has it alone.
 */
final class WriteRoom {
  private final long bytesMax;

  @GuardedBy("this")
  private long bytesTaken;

  /** The writes that have no room yet, in the order of their arrival. */
  @GuardedBy("this")
  private final Deque<Object> waiting = new ArrayDeque<>();

  WriteRoom(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  long bytesMax() {
    return bytesMax;
  }

  /** Lets a write wait for its turn; it must {@link #tryTake} room or {@link #leave}. */
  synchronized void enter(Object write) {
    waiting.add(write);
  }

  /** Returns whether it is the write's turn and there was room, which it now has. */
  synchronized boolean tryTake(Object write, long bytes) {
    if (waiting.peek() != write || (bytesTaken > 0 && bytesTaken + bytes > bytesMax)) {
      return false;
    }
    waiting.remove();
    bytesTaken += bytes;
    return true;
  }

  /** Ends the wait of a write that got no room. */
  synchronized void leave(Object write) {
    waiting.remove(write);
  }

  synchronized void release(long bytes) {
    bytesTaken -= bytes;
  }
}
