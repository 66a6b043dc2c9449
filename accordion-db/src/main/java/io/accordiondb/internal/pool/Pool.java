// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.pool;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pools objects between reads, as many as threads have used at the same time, up to a maximum.
 * Thread-safe and lock-free; each thread first looks at a place of its own.
 *
 * @param <T> type of the pooled objects
 */
public final class Pool<T> {
  private static final int PLACES = 256;

  /** The number of places that a thread tries. */
  private static final int TRIES = 16;

  private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(PLACES);
  private final Supplier<T> maker;

  /** Creates an empty pool, which creates an object if none can be reused. */
  public Pool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Takes an object from the pool. It belongs to the caller until {@link #giveBack}. */
  public T take() {
    int first = firstPlace();
    for (int i = 0; i < TRIES; i++) {
      int place = first + i & PLACES - 1;
      if (places.getPlain(place) != null) {
        T kept = places.getAndSet(place, null);
        if (kept != null) {
          return kept;
        }
      }
    }
    return maker.get();
  }

  /** Returns an object to the pool. The caller must not use it any more. */
  public void giveBack(T object) {
    int first = firstPlace();
    for (int i = 0; i < TRIES; i++) {
      int place = first + i & PLACES - 1;
      if (places.getPlain(place) == null && places.compareAndSet(place, null, object)) {
        return;
      }
    }
  }

  private static int firstPlace() {
    return (int) Thread.currentThread().getId() * TRIES;
  }
}
