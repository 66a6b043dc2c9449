// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Table;
import io.accordiondb.hbase.client.catalog.CatalogTable;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a scan as HBase's cells, after filters and limits within rows. Belongs to one thread.
 * {@link #readRow} does the same for the single row of a get.
 */
final class ScanRows implements Closeable {
  private final RowSource source;
  private final Scan scan;
  private final @Nullable RowFilter filter;
  private final ScanCounts counts;
  private boolean ended;

  /** Whether the filter has left out cells after the last one of the row that was returned. */
  private boolean continues;

  private ScanRows(RowSource source, Scan scan, @Nullable RowFilter filter, ScanCounts counts) {
    this.source = source;
    this.scan = scan;
    this.filter = filter;
    this.counts = counts;
  }

  /**
   * Begins a scan, which sees the database as of now.
   *
   * @param scan must not be changed afterwards
   */
  static ScanRows open(CatalogTable table, Database database, Scan scan, ScanCounts counts)
      throws IOException {
    RowFilter filter = rowFilter(scan, table.descriptor());
    ReadPlan plan = new ReadPlan(scan, table.descriptor());
    return new ScanRows(plan.open(table.table(), database), scan, filter, counts);
  }

  /**
   * Reads the start row of a scan.
   *
   * @param table the table, or the same table of a transaction
   */
  static List<org.apache.hadoop.hbase.Cell> readRow(
      Table table, TableDescriptor descriptor, Scan scan, Snapshots snapshots) throws IOException {
    RowFilter filter = rowFilter(scan, descriptor);
    List<Cell> cells = new ReadPlan(scan, descriptor).readRow(table, snapshots);
    if (cells.isEmpty()) {
      return List.of();
    }
    List<org.apache.hadoop.hbase.Cell> kept = keep(cells, scan, filter);
    return kept == null ? List.of() : kept;
  }

  private static @Nullable RowFilter rowFilter(Scan scan, TableDescriptor table)
      throws IOException {
    Filter filter = FilterCopies.fresh(scan.getFilter());
    if (filter == null) {
      return null;
    }
    if (scan.isReversed()) {
      // A filter that was sent does not say by itself.
      filter.setReversed(true);
    }
    Collection<byte[]> families =
        scan.hasFamilies() ? scan.getFamilyMap().keySet() : table.getColumnFamilyNames();
    return new RowFilter(filter, scan, families);
  }

  private static @Nullable List<org.apache.hadoop.hbase.Cell> keep(
      List<Cell> row, Scan scan, @Nullable RowFilter filter) throws IOException {
    if (filter != null) {
      try {
        return filter.apply(row);
      } catch (RuntimeException e) {
        // What fails in a server comes to the program as an IOException.
        throw new DoNotRetryIOException("the filter has failed: " + e, e);
      }
    }
    List<Cell> kept =
        FamilyLimits.apply(
            row, scan.getRowOffsetPerColumnFamily(), scan.getMaxResultsPerColumnFamily());
    return kept.isEmpty() ? null : CellConversion.toHBase(kept);
  }

  /** Returns the next row; null at the end. */
  @Nullable List<org.apache.hadoop.hbase.Cell> next() throws IOException {
    while (!ended) {
      List<Cell> row = source.next();
      if (row == null) {
        ended = true;
        break;
      }
      List<org.apache.hadoop.hbase.Cell> kept = keep(row, scan, filter);
      counts.onRow(kept != null);
      if (filter != null) {
        ended = filter.isDone();
        byte[] wanted = filter.nextRowWanted();
        if (wanted != null) {
          source.skipTo(wanted);
        }
      }
      if (kept != null) {
        continues = filter != null && !isSameVersion(kept.get(kept.size() - 1), row);
        return kept;
      }
    }
    return null;
  }

  private static boolean isSameVersion(org.apache.hadoop.hbase.Cell kept, List<Cell> row) {
    Cell last = row.get(row.size() - 1);
    return kept.getTimestamp() == last.timestamp()
        && CellUtil.matchingColumn(kept, last.family(), last.qualifier());
  }

  /** Returns whether the filter has left out cells after the last one that {@link #next} gave. */
  boolean continues() {
    return continues;
  }

  @Override
  public void close() {
    source.close();
  }
}
