// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Registers the open memory stores of this process by table, for the metrics. Thread-safe. */
final class OpenStores {
  @GuardedBy("OpenStores.class")
  private static final Set<ArenaMemStore> OPEN = new HashSet<>();

  @GuardedBy("OpenStores.class")
  private static final Map<String, StoreFigures> CLOSED = new TreeMap<>();

  @GuardedBy("OpenStores.class")
  private static long opened;

  private OpenStores() {}

  static synchronized void add(ArenaMemStore store) {
    OPEN.add(store);
    opened++;
  }

  /** Removes a store that is being closed, and keeps its counters. Idempotent. */
  static synchronized void remove(ArenaMemStore store) {
    if (OPEN.remove(store)) {
      CLOSED.merge(store.table(), store.figures().closed(), StoreFigures::plus);
    }
  }

  /** Returns the figures of the stores of each table, including closed ones. */
  static synchronized Map<String, StoreFigures> figuresByTable() {
    Map<String, StoreFigures> figures = new TreeMap<>(CLOSED);
    for (ArenaMemStore store : OPEN) {
      figures.merge(store.table(), store.figures(), StoreFigures::plus);
    }
    return figures;
  }

  /** Returns the states of the stores whose region and family are known. */
  static synchronized List<OpenMemStore> states() {
    return OPEN.stream().map(ArenaMemStore::state).filter(Objects::nonNull).toList();
  }

  /** Returns how many have ever been opened. */
  static synchronized long opened() {
    return opened;
  }
}
