// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.MemStore;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot that a flush receives: the counts from {@link SnapshotSegment}, the cells from the
 * memory store.
 */
final class StoreSnapshot extends MemStoreSnapshot {
  /** Sorts behind all cells of user tables. */
  private static final Cell BEHIND_ALL = KeyValueUtil.createFirstOnRow(lastRow());

  private final MemStore store;
  private final @Nullable CellSource cells;

  /**
   * Creates a snapshot.
   *
   * @param cells the cells of the snapshot; null if there are none
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
        : List.of(new FlushScanner(cells, new SharedView(store.view())));
  }

  private static byte[] lastRow() {
    byte[] row = new byte[HConstants.MAX_ROW_LENGTH];
    Arrays.fill(row, (byte) 0xFF);
    return row;
  }

  /**
   * A scanner that reads nearly all of its cells: to pass a column's older versions by, it takes
   * less to step over them than to seek the next column, as HBase otherwise does at each column.
   */
  private static final class FlushScanner extends SourceScanner {
    FlushScanner(CellSource cells, SharedView view) {
      super(cells, Long.MAX_VALUE, view, 0);
    }

    /** Says that all that is sought lies before the next block, and is best stepped to. */
    @Override
    public Cell getNextIndexedKey() {
      return BEHIND_ALL;
    }
  }
}
