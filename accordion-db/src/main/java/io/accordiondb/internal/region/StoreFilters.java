// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.ColumnFold;
import io.accordiondb.retention.FoldFilter;
import io.accordiondb.retention.OperandMerge;
import io.accordiondb.retention.RetentionFilter;
import io.accordiondb.retention.UnseenHistory;
import io.accordiondb.retention.VersionRules;
import java.util.List;

/** Creates the filters that decide which cells flushes and compactions of a store keep. */
public final class StoreFilters {
  private StoreFilters() {}

  /** Returns the filter of a compaction of files. */
  public static CellFilter ofCompaction(Store store, UnseenHistory unseen, long nowMillis) {
    VersionRules rules = store.descriptor().versionRules();
    MemStoreOptions options = store.memStore().options();
    OperandMerge merge = options.merge();
    return merge == null
        ? new RetentionFilter(rules, options.expiry(), unseen, nowMillis)
        : new FoldFilter(new ColumnFold(merge, rules, unseen, nowMillis, unseen.oldest()));
  }

  /**
   * Returns an empty description of the sources of a store that a compaction does not read, for
   * readers at or above a sequence number.
   */
  public static UnseenHistory unseenHistory(Store store, long smallestReadPoint) {
    return new UnseenHistory(smallestReadPoint, store.memStore().options().expiry() != null);
  }

  /** Returns the filter of a flush of all that the store had in memory at one moment. */
  static CellFilter ofFlush(Store store, long smallestReadPoint, long nowMillis) {
    VersionRules rules = store.descriptor().versionRules();
    MemStoreOptions options = store.memStore().options();
    OperandMerge merge = options.merge();
    UnseenHistory unseen = new UnseenHistory(smallestReadPoint);
    if (merge == null) {
      unseen.addUnknown();
      return new RetentionFilter(rules, options.expiry(), unseen, nowMillis);
    }
    // An ingested file may have been written between two operands.
    List<StoreFile> files = store.retainedFiles();
    try {
      files.forEach(file -> unseen.addOlder(file.source(false), 0));
    } finally {
      Store.release(files);
    }
    return new FoldFilter(new ColumnFold(merge, rules, unseen, nowMillis, 0));
  }
}
