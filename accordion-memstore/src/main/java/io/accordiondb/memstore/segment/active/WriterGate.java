// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the writers inside a segment. Once it is closed, no writer can enter. Thread-safe. */
final class WriterGate {
  private static final int CLOSED = Integer.MIN_VALUE;

  /** The number of writers inside; the sign bit is set once the gate is closed. */
  private final AtomicInteger state = new AtomicInteger();

  boolean enter() {
    if (state.incrementAndGet() > 0) {
      return true;
    }
    state.decrementAndGet();
    return false;
  }

  void exit() {
    state.decrementAndGet();
  }

  void close() {
    // No lambda, because this must not allocate: a segment that was replaced must be sealed.
    int current = state.get();
    while (!state.compareAndSet(current, current | CLOSED)) {
      current = state.get();
    }
  }

  boolean isQuiescent() {
    return state.get() == CLOSED;
  }
}
