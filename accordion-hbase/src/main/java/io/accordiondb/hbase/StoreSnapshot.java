// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.encoding.CellSource;
import io.accordiondb.memstore.FlushSnapshot;
import io.accordiondb.memstore.MemStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.regionserver.MemStoreSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot that a flush receives: the sizes from {@link SnapshotSegment}, the cells from the
 * memory store.
 */
final class StoreSnapshot extends MemStoreSnapshot {
  /** Sorts behind all cells of user tables. */
  private static final Cell BEHIND_ALL = KeyValueUtil.createFirstOnRow(lastRow());

  private final MemStore store;
  private final @Nullable FlushSnapshot cells;

  /**
   * Creates a snapshot.
   *
   * @param cells the cells of the snapshot; null if there are none
   */
  StoreSnapshot(long id, SnapshotSegment counts, MemStore store, @Nullable FlushSnapshot cells) {
    super(id, counts);
    this.store = store;
    this.cells = cells;
  }

  /**
   * Returns how many cells a flush writes. {@link #getMemStoreSize} has what was reported to HBase
   * for them, which HBase subtracts: a batch that was on its way while sizes were settled is in it
   * twice.
   */
  @Override
  public int getCellsCount() {
    return cells == null ? 0 : Math.toIntExact(cells.cellCount());
  }

  /** Returns whether nothing was reported to HBase for the snapshot. */
  boolean isEmpty() {
    return getMemStoreSize().getCellsCount() == 0;
  }

  /**
   * Returns one scanner over all cells, whatever their sequence number: it merges segments by the
   * prefixes of their keys, which costs less than HBase's heap of scanners.
   *
   * @throws IllegalStateException if the snapshot was cleared, or the store closed: other cells may
   *     be in its memory
   */
  @Override
  public List<KeyValueScanner> getScanners() {
    if (cells == null) {
      return List.of();
    }
    // Before the scanner, which nobody would close if there were no memory for the list.
    List<KeyValueScanner> scanners = new ArrayList<>(1);
    SharedView view = new SharedView(store, null);
    try {
      if (!view.sources().containsAll(cells.sources())) {
        throw new IllegalStateException("snapshot " + getId() + " is no longer in memory");
      }
      scanners.add(new FlushScanner(cells, view));
    } finally {
      view.release();
    }
    return scanners;
  }

  private static byte[] lastRow() {
    byte[] row = new byte[HConstants.MAX_ROW_LENGTH];
    Arrays.fill(row, (byte) 0xFF);
    return row;
  }

  /**
   * A scanner for flushes, which read nearly all cells. HBase seeks the next column to skip the
   * older versions of a column; stepping over them is cheaper.
   */
  private static final class FlushScanner extends SourceScanner {
    private final boolean hasMarkers;

    FlushScanner(CellSource cells, SharedView view) {
      super(cells, Long.MAX_VALUE, view);
      this.hasMarkers = cells.deleteMarkerCount() > 0;
    }

    /**
     * Tells HBase that the sought cell is before the next block, so that HBase steps to it instead
     * of seeking. Markers of a whole family are between the versions of the column without a name,
     * and must not be stepped over with these: HBase itself seeks the next cell there.
     */
    @Override
    public @Nullable Cell getNextIndexedKey() {
      Cell current = hasMarkers ? peek() : null;
      return current != null && current.getQualifierLength() == 0 ? null : BEHIND_ALL;
    }
  }
}
