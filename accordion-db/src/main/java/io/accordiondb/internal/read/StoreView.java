// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.OperandMerge;
import io.accordiondb.retention.VersionRules;
import java.io.Closeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One store as a reader sees it: all sources of its cells, which stay readable until the view is
 * closed.
 *
 * @param family the name of the family
 * @param rules its version rules
 * @param memory segments, all of which are newer than the sorted tables
 * @param files the sorted tables
 * @param deleted range tombstones, in memory and beside the tables
 * @param columns what is kept of single columns, or null
 * @param merge the family's merge operator, or null
 * @param pin what keeps the sources readable
 */
public record StoreView(
    byte[] family,
    VersionRules rules,
    MemStoreView memory,
    SortedTables files,
    DeletedRanges deleted,
    @Nullable ColumnCache columns,
    @Nullable OperandMerge merge,
    Closeable pin) {

  /** Returns the sorted tables, newest first. */
  public List<CellSource> tables() {
    return files.sources();
  }
}
