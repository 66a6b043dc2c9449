// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.cell.CellSource;
import io.accordiondb.memstore.MemStore;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;

/** What a flush takes: the counts in {@link SnapshotSegment}, the cells from the memory store. */
final class StoreSnapshot extends MemStoreSnapshot {
  private final MemStore store;
  private final List<? extends CellSource> sources;

  StoreSnapshot(
      long id, SnapshotSegment counts, MemStore store, List<? extends CellSource> sources) {
    super(id, counts);
    this.store = store;
    this.sources = sources;
  }

  /** Returns a scanner of each segment, over all cells whatever their sequence number. */
  @Override
  public List<KeyValueScanner> getScanners() {
    List<KeyValueScanner> scanners = new ArrayList<>(sources.size());
    SharedView shared = new SharedView(store.view());
    for (int i = 0; i < sources.size(); i++) {
      scanners.add(
          new SourceScanner(sources.get(i), Long.MAX_VALUE, shared.retain(), sources.size() - i));
    }
    shared.release();
    return scanners;
  }
}
