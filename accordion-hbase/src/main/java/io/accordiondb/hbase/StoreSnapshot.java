// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.cell.CellSource;
import io.accordiondb.memstore.MemStore;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.jspecify.annotations.Nullable;

/** What a flush takes: the counts in {@link SnapshotSegment}, the cells from the memory store. */
final class StoreSnapshot extends MemStoreSnapshot {
  private final MemStore store;
  private final @Nullable CellSource cells;

  /**
   * Creates a snapshot.
   *
   * @param cells null when there are none
   */
  StoreSnapshot(long id, SnapshotSegment counts, MemStore store, @Nullable CellSource cells) {
    super(id, counts);
    this.store = store;
    this.cells = cells;
  }

  /**
   * Returns one scanner over all cells, whatever their sequence number: segments are merged here,
   * by the prefixes of their keys, at less than HBase's heap of scanners would take.
   */
  @Override
  public List<KeyValueScanner> getScanners() {
    return cells == null
        ? List.of()
        : List.of(new SourceScanner(cells, Long.MAX_VALUE, new SharedView(store.view()), 0));
  }
}
