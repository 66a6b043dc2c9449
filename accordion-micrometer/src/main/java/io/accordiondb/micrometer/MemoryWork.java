// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import io.accordiondb.memstore.MemStoreStatistics;

/** What memory stores have done since they were created. */
record MemoryWork(
    long inMemoryFlushes,
    long merges,
    long compactions,
    long cellsEliminated,
    long bytesEliminated) {
  static final MemoryWork NONE = new MemoryWork(0, 0, 0, 0, 0);

  static MemoryWork of(MemStoreStatistics store) {
    return new MemoryWork(
        store.inMemoryFlushes(),
        store.merges(),
        store.compactions(),
        store.cellsEliminated(),
        store.bytesEliminated());
  }

  /** Returns whether no figure is below that of earlier work. */
  boolean includes(MemoryWork earlier) {
    return inMemoryFlushes >= earlier.inMemoryFlushes
        && merges >= earlier.merges
        && compactions >= earlier.compactions
        && cellsEliminated >= earlier.cellsEliminated
        && bytesEliminated >= earlier.bytesEliminated;
  }

  MemoryWork plus(MemoryWork other) {
    return new MemoryWork(
        inMemoryFlushes + other.inMemoryFlushes,
        merges + other.merges,
        compactions + other.compactions,
        cellsEliminated + other.cellsEliminated,
        bytesEliminated + other.bytesEliminated);
  }
}
