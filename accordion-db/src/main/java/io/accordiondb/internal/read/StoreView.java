// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.CellExpiry;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.OperandMerge;
import io.accordiondb.retention.VersionRules;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader's view of one store: all sources of its cells, which stay readable until the view is
 * closed.
 *
 * @param familyRules the rules of the family
 * @param memory segments, all of which are newer than the sorted tables
 * @param files the sorted tables
 * @param deleted the range tombstones in memory and of the tables
 * @param columns the cache of single columns, or null
 * @param merge the family's merge operator, or null
 * @param expiry decides which puts readers must not see, or null
 * @param held keeps the sorted tables readable until it is closed
 */
public record StoreView(
    FamilyRules familyRules,
    MemStoreView memory,
    SortedTables files,
    DeletedRanges deleted,
    @Nullable ColumnCache columns,
    @Nullable OperandMerge merge,
    @Nullable CellExpiry expiry,
    Closeable held)
    implements Closeable {

  /** Returns the name of the family. */
  public byte[] family() {
    return familyRules.name();
  }

  /** Returns the version rules of the family. */
  public VersionRules rules() {
    return familyRules.versions();
  }

  /** Returns the rows without a visible cell, as far as readers have found them. */
  DeadRows deadRows() {
    return familyRules.deadRows();
  }

  /** Returns the sorted tables, newest first. */
  public List<CellSource> tables() {
    return files.sources();
  }

  /** Releases the sources. Must be called once. */
  @Override
  public void close() throws IOException {
    memory.close();
    held.close();
  }
}
