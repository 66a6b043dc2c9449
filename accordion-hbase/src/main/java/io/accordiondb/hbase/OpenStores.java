// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Knows the memory stores of this process that are open, for metrics. Thread-safe. */
final class OpenStores {
  private static final Set<ArenaMemStore> OPEN = ConcurrentHashMap.newKeySet();
  private static final AtomicLong OPENED = new AtomicLong();

  private OpenStores() {}

  static void add(ArenaMemStore store) {
    OPEN.add(store);
    OPENED.incrementAndGet();
  }

  static void remove(ArenaMemStore store) {
    OPEN.remove(store);
  }

  /** Returns those that are open at this moment. */
  static Set<ArenaMemStore> all() {
    return Set.copyOf(OPEN);
  }

  /** Returns how many have ever been opened. */
  static long opened() {
    return OPENED.get();
  }
}
