// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * The newest of several objects that replace each other, and the earlier ones that are still in
 * use. Thread-safe; takes no lock.
 *
 * <p>An object joins the earlier ones before it is replaced, and a search reads the newest one
 * first. So the search also finds an object that is replaced in the meantime.
 *
 * @param <T> type of the objects
 */
final class Succession<T> {
  private final List<T> earlier = new CopyOnWriteArrayList<>();
  private volatile T newest;

  Succession(T first) {
    this.newest = first;
  }

  T newest() {
    return newest;
  }

  /** Returns the earlier objects at this moment. */
  Iterable<T> earlier() {
    return earlier;
  }

  /** Returns the earlier object that passes a test; if there is none, the newest one. */
  T earlierOrNewest(Predicate<T> test) {
    T last = newest;
    for (T each : earlier) {
      if (test.test(each)) {
        return each;
      }
    }
    return last;
  }

  /** Replaces the newest object. One thread at a time may call this. */
  void replace(T next) {
    earlier.add(newest);
    newest = next;
  }

  /** Removes an earlier object, which is no longer in use. */
  void remove(T unused) {
    earlier.remove(unused);
  }
}
