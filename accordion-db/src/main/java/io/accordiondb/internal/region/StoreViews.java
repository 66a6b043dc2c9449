// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.DatabaseFailedException;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.read.FamilyRules;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.CellExpiry;
import io.accordiondb.retention.VersionRules;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes views of a store: first its memory, then its files, so a cell that a flush moves in between
 * is found twice, never missed. That is harmless for puts and markers, but an operand would count
 * twice. So in a family with a merge operator, a view is taken before or after a flush replaces
 * memory by a file, never in between, and no more once that has failed halfway. Thread-safe.
 */
final class StoreViews {
  private final MemStore memStore;
  private final @Nullable ColumnCache columns;
  private final Supplier<FileSet> files;
  private final StampedLock exchange = new StampedLock();

  private volatile FamilyRules rules;

  /** What has ended an exchange early, which may have left cells in memory and in a file. */
  private volatile @Nullable Throwable failure;

  /**
   * Creates an object that takes views.
   *
   * @param files supplies the present files, retained
   */
  StoreViews(
      FamilyDescriptor descriptor,
      MemStore memStore,
      @Nullable ColumnCache columns,
      Supplier<FileSet> files) {
    this.rules = new FamilyRules(descriptor.nameBytes(), descriptor.versionRules());
    this.memStore = memStore;
    this.columns = columns;
    this.files = files;
  }

  /** Changes the rules of the family for views from now on. */
  void setRules(VersionRules versions) {
    rules = new FamilyRules(rules.name(), versions);
  }

  /**
   * Takes a view, which the caller must close.
   *
   * @throws DatabaseFailedException if an exchange has failed, and an operand could count twice
   */
  StoreView take(boolean fillCache) throws DatabaseFailedException {
    MemStoreOptions options = memStore.options();
    if (options.merge() == null) {
      return newView(options, fillCache);
    }
    long stamp = exchange.readLock();
    try {
      if (failure != null) {
        throw new DatabaseFailedException(failure);
      }
      return newView(options, fillCache);
    } finally {
      exchange.unlockRead(stamp);
    }
  }

  private StoreView newView(MemStoreOptions options, boolean fill) {
    MemStoreView memory = memStore.view();
    FileSet set = null;
    StoreView view = null;
    try {
      set = files.get();
      CellExpiry expiry = options.expiry();
      view =
          new StoreView(
              rules,
              memory,
              set.tables(fill),
              memory.deletedRanges().and(set.ranges()),
              columns,
              options.merge(),
              expiry == null ? null : expiry.forReads(),
              set);
      return view;
    } finally {
      // Memory that a failed reader holds would never be freed.
      if (view == null) {
        memory.close();
        if (set != null) {
          set.release();
        }
      }
    }
  }

  /** Replaces memory by files. If that fails, the database has failed. */
  void exchange(Runnable change) {
    long stamp = exchange.writeLock();
    try {
      change.run();
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      exchange.unlockWrite(stamp);
    }
  }
}
