// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the writers inside a segment. Once it is closed, no writer can enter. What a writer did
 * before it left is visible to a thread that has seen {@link #isQuiescent}. Thread-safe.
 */
final class WriterGate {
  private static final int CLOSED = Integer.MIN_VALUE;

  /** The number of writers inside; the sign bit is set once the gate is closed. */
  private final AtomicInteger state = new AtomicInteger();

  /** Lets a writer in; returns false once the gate is closed. */
  boolean enter() {
    if (state.incrementAndGet() > 0) {
      return true;
    }
    state.decrementAndGet();
    return false;
  }

  /** Lets a writer out that {@link #enter} has let in. */
  void exit() {
    state.decrementAndGet();
  }

  /** Closes the gate. Writers that are inside stay until they leave. Idempotent. */
  void close() {
    // No lambda, because this must not allocate: a segment that was replaced must be sealed.
    int current = state.get();
    while (!state.compareAndSet(current, current | CLOSED)) {
      current = state.get();
    }
  }

  /** Returns whether the gate is closed and no writer is inside. Then all writes are visible. */
  boolean isQuiescent() {
    return state.get() == CLOSED;
  }
}
