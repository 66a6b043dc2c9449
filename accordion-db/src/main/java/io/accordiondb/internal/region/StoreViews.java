// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.OperandMerge;
import io.accordiondb.retention.VersionRules;
import java.io.Closeable;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes views of a store: first its memory, then its files, so what a flush moves in between is met
 * twice, never missed. That is harmless for puts and markers, but an operand would count twice. So
 * where there is a merge operator, a view is taken before or after memory is exchanged for a file,
 * never in between. Thread-safe.
 */
final class StoreViews {
  private final byte[] family;
  private final MemStore memStore;
  private final @Nullable ColumnCache columns;
  private final StampedLock exchange = new StampedLock();

  StoreViews(byte[] family, MemStore memStore, @Nullable ColumnCache columns) {
    this.family = family;
    this.memStore = memStore;
    this.columns = columns;
  }

  /**
   * Takes a view, whose pin the caller must close.
   *
   * @param files takes the files and retains them
   */
  StoreView take(VersionRules rules, Supplier<FileSet> files, boolean fillCache) {
    OperandMerge merge = memStore.options().merge();
    if (merge == null) {
      return newView(rules, null, files, fillCache);
    }
    long stamp = exchange.readLock();
    try {
      return newView(rules, merge, files, fillCache);
    } finally {
      exchange.unlockRead(stamp);
    }
  }

  private StoreView newView(
      VersionRules rules, @Nullable OperandMerge merge, Supplier<FileSet> files, boolean fill) {
    MemStoreView memory = memStore.view();
    FileSet set = files.get();
    return new StoreView(
        family,
        rules,
        memory,
        set.tables(fill),
        memory.deletedRanges().and(set.ranges()),
        columns,
        merge,
        new Pin(memory, set));
  }

  /** Exchanges memory for files. */
  void exchange(Runnable change) {
    long stamp = exchange.writeLock();
    try {
      change.run();
    } finally {
      exchange.unlockWrite(stamp);
    }
  }

  private record Pin(MemStoreView memory, FileSet files) implements Closeable {
    @Override
    public void close() {
      memory.close();
      files.release();
    }
  }
}
