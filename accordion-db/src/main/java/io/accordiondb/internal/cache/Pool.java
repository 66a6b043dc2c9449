// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

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

  /** Places that a thread looks at. */
  private static final int TRIES = 16;

  private final AtomicReferenceArray<@Nullable T> places = new AtomicReferenceArray<>(PLACES);
  private final Supplier<T> maker;

  /** Makes an empty pool, whose objects are made when there is none to use again. */
  public Pool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns an object, which is the caller's until it gives it back. */
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

  /** Returns an object to the pool; the caller no longer uses it. */
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
