// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.HistoryLostException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.table.OpenTables;
import io.accordiondb.internal.transaction.ReadSet.TableKey;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Searches some rows for cells that are newer than a snapshot, however they were written. It reads
 * only memory segments and sorted tables that have newer cells. The snapshot must be held as a read
 * point, so that no marker newer than it is dropped. Belongs to one thread; used once.
 */
final class Validation {
  private static final byte[] NO_END = {};

  private final OpenTables tables;
  private final long snapshot;
  private final Set<Store> stores = new HashSet<>();

  Validation(OpenTables tables, long snapshot) {
    this.tables = tables;
    this.snapshot = snapshot;
  }

  /**
   * Checks that nothing of a read set has changed.
   *
   * @throws TransactionConflictException if it has, or if a table has been dropped or truncated, or
   *     has lost a family
   * @throws StoreClosedException if a table is being changed just now
   */
  void check(ReadSet read) throws IOException {
    for (Map.Entry<TableKey, NavigableSet<byte[]>> rows : read.rows().entrySet()) {
      TableState table = table(rows.getKey());
      for (byte[] row : rows.getValue()) {
        check(table, table.regions().regionOf(row), row, CellKey.rowAfter(row), true);
      }
    }
    for (Map.Entry<TableKey, List<RowRangeRead>> ranges : read.ranges().entrySet()) {
      TableState table = table(ranges.getKey());
      for (RowRangeRead range : ranges.getValue()) {
        if (!range.isEmpty()) {
          check(table, range);
        }
      }
    }
  }

  /** Returns the stores that were checked. */
  Set<Store> stores() {
    return Collections.unmodifiableSet(stores);
  }

  private TableState table(TableKey key) throws IOException {
    try {
      TableState table = tables.get(key.name());
      if (table.tableId() != key.id()
          || !table.descriptor().familyNames().containsAll(key.families())) {
        throw new TableNotFoundException(key.name());
      }
      return table;
    } catch (TableNotFoundException e) {
      throw new TransactionConflictException(key.name(), e);
    }
  }

  private void check(TableState table, RowRangeRead range) throws IOException {
    byte @Nullable [] end = range.end();
    for (Region region : table.regions().regions()) {
      boolean below =
          region.endKey().length > 0 && Arrays.compareUnsigned(region.endKey(), range.first()) <= 0;
      boolean behind = end != null && Arrays.compareUnsigned(region.startKey(), end) >= 0;
      if (!below && !behind) {
        check(table, region, range.first(), end, false);
      }
    }
  }

  /** Checks the rows of a region from one row, inclusive, to another one, exclusive. */
  private void check(
      TableState table, Region region, byte[] first, byte @Nullable [] end, boolean oneRow)
      throws IOException {
    CellKey key = CellKey.firstOfRow(first);
    for (Store store : region.stores()) {
      stores.add(store);
      try (StoreView view = store.view(false)) {
        store.checkReadable(snapshot);
        if (view.deleted().touch(first, end == null ? NO_END : end, snapshot)) {
          throw new TransactionConflictException(table.name(), first);
        }
        for (CellSource source : view.memory().sources()) {
          check(table, source, key, end, oneRow);
        }
        for (CellSource source : view.tables()) {
          check(table, source, key, end, oneRow);
        }
      } catch (HistoryLostException e) {
        throw new TransactionConflictException(table.name(), e);
      }
    }
  }

  private void check(
      TableState table, CellSource source, CellKey key, byte @Nullable [] end, boolean oneRow)
      throws IOException {
    if (source.maxSequence() <= snapshot || (oneRow && !source.mayContainRow(key.buffer(), 0))) {
      return;
    }
    try (CellCursor cursor = source.cursor()) {
      boolean stands = cursor.seek(key.buffer(), 0);
      while (stands && isBefore(cursor, end)) {
        if (cursor.sequenceNumber() > snapshot) {
          throw new TransactionConflictException(
              table.name(), KeyValueLayout.row(cursor.buffer(), cursor.offset()));
        }
        stands = cursor.next();
      }
    }
  }

  private static boolean isBefore(CellCursor cursor, byte @Nullable [] end) {
    return end == null || CellComparator.compareRow(cursor.buffer(), cursor.offset(), end) < 0;
  }
}
