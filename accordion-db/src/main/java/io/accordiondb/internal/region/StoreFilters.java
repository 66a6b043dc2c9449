// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.ColumnFold;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.FoldFilter;
import io.accordiondb.retention.OperandMerge;
import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.RetentionFilter;
import io.accordiondb.retention.UnseenHistory;
import io.accordiondb.retention.VersionRules;
import java.util.List;

/**
 * Creates the filters that decide which cells one flush or compaction of a store keeps, by the
 * rules of the family at one moment. A filter must not follow later rules than the description of
 * what it does not see. Immutable.
 */
public final class StoreFilters {
  private final Store store;
  private final VersionRules rules;
  private final MemStoreOptions options;

  /** Creates the filters of a store as it is configured now. */
  public StoreFilters(Store store) {
    this.store = store;
    rules = store.descriptor().versionRules();
    options = store.memStore().options();
  }

  /** Returns the filter of a compaction of files. */
  public CellFilter ofCompaction(UnseenHistory unseen, long nowMillis) {
    OperandMerge merge = options.merge();
    return merge == null
        ? new RetentionFilter(rules, options.expiry(), unseen, nowMillis)
        : new FoldFilter(new ColumnFold(merge, rules, unseen, nowMillis, unseen.oldest()));
  }

  /**
   * Returns an empty description of the sources that a compaction does not read.
   *
   * @param readPoints where readers read
   */
  public UnseenHistory unseenHistory(ReadPointSet readPoints) {
    return new UnseenHistory(readPoints, options.expiry() != null);
  }

  /**
   * Returns the filter of a flush of all that the store had in memory at one moment.
   *
   * @param readPoints where readers read
   * @param deleted the range tombstones that the flush applies
   */
  CellFilter ofFlush(ReadPointSet readPoints, DeletedRanges deleted, long nowMillis) {
    OperandMerge merge = options.merge();
    UnseenHistory unseen = new UnseenHistory(readPoints);
    unseen.addApplied(deleted.maxSequence());
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
