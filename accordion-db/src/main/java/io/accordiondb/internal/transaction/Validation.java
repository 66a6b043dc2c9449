// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.CorruptionException;
import io.accordiondb.HistoryLostException;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.TransactionConflictException;
import io.accordiondb.internal.function.IoConsumer;
import io.accordiondb.internal.metrics.Corruptions;
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
 * Searches rows and ranges of rows for cells and range tombstones that are newer than a snapshot,
 * however they were written. Each check searches only what is newer than the last check that
 * passed. The snapshot must be held as a read point: then something newer than it stays in each row
 * that was written since. Belongs to one thread.
 */
final class Validation {
  private static final byte[] FIRST_ROW = {};

  private final OpenTables tables;
  private final List<ReadSet> reads;
  private final long snapshot;
  private final Corruptions corruptions;

  /** The stores of the last check. */
  private final Set<Store> stores = new HashSet<>();

  /** The sequence number up to which nothing has changed since the snapshot. */
  private long unchangedUpTo;

  /**
   * Begins with nothing checked.
   *
   * @param corruptions receives damage that a check finds
   */
  Validation(OpenTables tables, List<ReadSet> reads, long snapshot, Corruptions corruptions) {
    this.corruptions = corruptions;
    this.tables = tables;
    this.reads = reads;
    this.snapshot = snapshot;
    this.unchangedUpTo = snapshot;
  }

  /**
   * Checks that nothing of the read sets has changed.
   *
   * @param visible a sequence number that is visible: the stores have all writes up to it
   * @throws TransactionConflictException if it has, or if a table has been dropped or truncated, or
   *     has lost a family
   * @throws StoreClosedException if a table is being changed just now
   */
  void check(long visible) throws IOException {
    stores.clear();
    for (ReadSet read : reads) {
      for (Map.Entry<TableKey, NavigableSet<byte[]>> rows : read.rows().entrySet()) {
        checkRows(table(rows.getKey()), rows.getValue());
      }
      for (Map.Entry<TableKey, List<RowRangeRead>> ranges : read.ranges().entrySet()) {
        checkRanges(table(ranges.getKey()), ranges.getValue());
      }
    }
    unchangedUpTo = visible;
  }

  /** Returns the stores that the last check has searched. */
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
      if (key.isRead()) {
        // A family may have been dropped before the transaction read the table.
        table.checkReadable(snapshot);
      }
      return table;
    } catch (TableNotFoundException | HistoryLostException e) {
      throw new TransactionConflictException(key.name(), e);
    }
  }

  /** Checks rows, those of each region together. */
  private void checkRows(TableState table, NavigableSet<byte[]> rows) throws IOException {
    byte @Nullable [] row = rows.ceiling(FIRST_ROW);
    while (row != null) {
      Region region = table.regions().regionOf(row);
      byte[] end = region.endKey();
      boolean last = end.length == 0;
      NavigableSet<byte[]> inside =
          last ? rows.tailSet(row, true) : rows.subSet(row, true, end, false);
      check(table, region, newer -> newer.checkRows(inside));
      row = last ? null : rows.ceiling(end);
    }
  }

  /** Checks ranges, those of each region together. */
  private void checkRanges(TableState table, List<RowRangeRead> ranges) throws IOException {
    for (Region region : table.regions().regions()) {
      List<RowRangeRead> inside =
          ranges.stream().filter(range -> !range.isEmpty() && overlap(region, range)).toList();
      if (!inside.isEmpty()) {
        check(table, region, newer -> newer.checkRanges(inside));
      }
    }
  }

  private static boolean overlap(Region region, RowRangeRead range) {
    byte @Nullable [] end = range.end();
    boolean below =
        region.endKey().length > 0 && Arrays.compareUnsigned(region.endKey(), range.first()) <= 0;
    boolean behind = end != null && Arrays.compareUnsigned(region.startKey(), end) >= 0;
    return !below && !behind;
  }

  /** Runs a check on each store of a region that has anything newer. */
  private void check(TableState table, Region region, IoConsumer<NewerCells> check)
      throws IOException {
    for (Store store : region.stores()) {
      stores.add(store);
      try (StoreView view = store.view(false)) {
        store.checkReadable(snapshot);
        NewerCells newer = new NewerCells(table.name(), view, unchangedUpTo);
        if (!newer.isEmpty()) {
          check.accept(newer);
        }
      } catch (HistoryLostException e) {
        throw new TransactionConflictException(table.name(), e);
      } catch (CorruptionException e) {
        corruptions.check(e);
        throw e;
      }
    }
  }
}
