// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a filter of HBase row by row, with the calls in the order in which a region of HBase
 * makes them: the row's key, the cells family by family, the row as a whole, and then the families
 * that the filter does not need. Belongs to one thread and one scan, because filters have state.
 *
 * <p>Cells come with all versions that their family keeps. The versions that the scan wants are
 * counted among those that the filter includes.
 */
final class RowFilter {
  private final Filter filter;
  private final FilteredFamily.Limits limits;
  private final Map<byte[], FilteredFamily> families = new TreeMap<>(Arrays::compareUnsigned);
  private boolean done;

  /** The row before which the filter wants none; null if it has not said. */
  private byte @Nullable [] nextRowWanted;

  /**
   * Creates the evaluation of one scan.
   *
   * @param filter a filter that no other scan uses
   * @param names the families that are read
   * @throws DoNotRetryIOException if HBase could not scan with the filter in this direction
   */
  RowFilter(Filter filter, Scan scan, Collection<byte[]> names) throws IOException {
    this.filter = filter;
    this.limits = FilteredFamily.Limits.of(scan);
    Boolean onDemand = scan.getLoadColumnFamiliesOnDemandValue();
    boolean readsAll = onDemand != null && !onDemand;
    for (byte[] name : names) {
      boolean essential = readsAll || filter.isFamilyEssential(name);
      if (scan.isReversed() && !essential) {
        throw new DoNotRetryIOException(
            "Reverse scan with loading CFs on demand is not supported, here as in HBase; call"
                + " setLoadColumnFamiliesOnDemand(false)");
      }
      Set<byte[]> columns = scan.getFamilyMap().get(name);
      boolean allColumns = columns == null || columns.isEmpty();
      families.put(name, new FilteredFamily(filter, limits, essential, allColumns));
    }
  }

  /** Returns whether the filter wants no further row. */
  boolean isDone() {
    return done;
  }

  /** Returns the row before which the filter wants none, in the direction of the scan, or null. */
  byte @Nullable [] nextRowWanted() {
    return nextRowWanted;
  }

  /** The cells of one family in the current row. */
  private record FamilyCells(
      FilteredFamily family, List<org.apache.hadoop.hbase.Cell> cells, int from) {}

  /** Returns what the filter leaves of the next row; null if nothing is left. */
  @Nullable List<org.apache.hadoop.hbase.Cell> apply(List<Cell> row) throws IOException {
    nextRowWanted = null;
    List<FamilyCells> essential = new ArrayList<>();
    List<FamilyCells> others = new ArrayList<>();
    split(row, essential, others);
    if (essential.isEmpty()) {
      done = families.values().stream().allMatch(each -> each.isClosed() || !each.isEssential());
      findNextRowWanted(row.get(0).row());
      return null;
    }
    FamilyCells first = essential.get(0);
    if (isRowExcluded(first.cells.get(first.from))) {
      done = filter.filterAllRemaining();
      if (!done) {
        if (!limits.reversed()) {
          // HBase shows the filter the cells of such a row, too, on its way to the next row.
          filterCells(essential, new ArrayList<>());
        }
        filter.reset();
        done = filter.filterAllRemaining();
      }
      return null;
    }
    List<org.apache.hadoop.hbase.Cell> included = new ArrayList<>();
    filterCells(essential, included);
    boolean empty = included.isEmpty();
    if (filter.hasFilterRow()) {
      filter.filterRowCells(included);
    }
    // A row that the filter has emptied as a whole still gets what its other families have.
    if (empty || (!included.isEmpty() && filter.filterRow())) {
      filter.reset();
      return null;
    }
    if (!others.isEmpty()) {
      filterCells(others, included);
      included.sort(CellComparator.getInstance());
    }
    filter.reset();
    done = filter.filterAllRemaining();
    return included.isEmpty() ? null : included;
  }

  private static void filterCells(
      List<FamilyCells> cells, List<org.apache.hadoop.hbase.Cell> included) throws IOException {
    for (FamilyCells each : cells) {
      each.family.filter(each.cells, each.from, included);
    }
  }

  private void split(List<Cell> row, List<FamilyCells> essential, List<FamilyCells> others) {
    int from = 0;
    while (from < row.size()) {
      byte[] name = row.get(from).family();
      int to = from + 1;
      while (to < row.size() && Arrays.equals(row.get(to).family(), name)) {
        to++;
      }
      FilteredFamily family = families.get(name);
      // A family that was added to the table after the scan began is not part of it.
      if (family != null) {
        List<org.apache.hadoop.hbase.Cell> cells = CellConversion.toHBase(row.subList(from, to));
        int firstWanted = family.firstWanted(cells, 0);
        if (firstWanted < cells.size()) {
          (family.isEssential() ? essential : others)
              .add(new FamilyCells(family, cells, firstWanted));
        }
      }
      from = to;
    }
  }

  private boolean isRowExcluded(org.apache.hadoop.hbase.Cell first) throws IOException {
    return filter.filterAllRemaining() || filter.filterRowKey(first);
  }

  /** Finds out whether all families by which the filter decides wait for a later row than one. */
  private void findNextRowWanted(byte[] row) {
    org.apache.hadoop.hbase.Cell next = null;
    for (FilteredFamily family : families.values()) {
      if (family.isEssential()) {
        org.apache.hadoop.hbase.Cell sought = family.sought();
        if (sought == null) {
          return;
        }
        if (next == null || limits.isBefore(sought, next)) {
          next = sought;
        }
      }
    }
    if (next != null && limits.isBefore(KeyValueUtil.createLastOnRow(row), next)) {
      nextRowWanted = CellUtil.cloneRow(next);
    }
  }
}
