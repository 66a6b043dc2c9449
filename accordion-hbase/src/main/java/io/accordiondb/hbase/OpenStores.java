// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Registers the open memory stores of this process by table, for the metrics. Thread-safe. */
final class OpenStores {
  @GuardedBy("OpenStores.class")
  private static final Set<ArenaMemStore> OPEN = new HashSet<>();

  /** Tables of which closed stores are counted separately. */
  static final int CLOSED_TABLES_MAX = 1000;

  /** The closed stores of each table; the table whose store was closed last is at the end. */
  @GuardedBy("OpenStores.class")
  private static final Map<String, StoreFigures> CLOSED = new LinkedHashMap<>();

  /** The closed stores of the tables that are no longer counted separately. */
  @GuardedBy("OpenStores.class")
  private static StoreFigures closedBefore = StoreFigures.NONE;

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
      StoreFigures earlier = CLOSED.remove(store.table());
      StoreFigures closed = store.figures().closed();
      CLOSED.put(store.table(), earlier == null ? closed : earlier.plus(closed));
      if (CLOSED.size() > CLOSED_TABLES_MAX) {
        Iterator<StoreFigures> oldest = CLOSED.values().iterator();
        closedBefore = closedBefore.plus(oldest.next());
        oldest.remove();
      }
    }
  }

  /** Returns the figures of all stores, including closed ones. */
  static synchronized StoreFigures figures() {
    StoreFigures sum = closedBefore;
    for (StoreFigures table : figuresByTable().values()) {
      sum = sum.plus(table);
    }
    return sum;
  }

  /**
   * Returns the figures of the stores of each table. Closed ones are included, except of tables
   * after whose last one {@value #CLOSED_TABLES_MAX} other tables had stores closed.
   */
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
