// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.jspecify.annotations.Nullable;

/**
 * Passes the cells of one family through a filter and follows what the filter answers: leave a
 * cell, a column or the rest of the row out, or everything up to a cell that it names. Belongs to
 * one scan.
 */
final class FilteredFamily {
  /**
   * What a scan wants of each family.
   *
   * @param versions how many versions of a column
   * @param offset how many cells of a row are left out first
   * @param cells how many cells of a row; negative for all
   * @param reversed whether rows come in descending order
   */
  record Limits(int versions, int offset, int cells, boolean reversed) {
    static Limits of(Scan scan) {
      return new Limits(
          Math.max(1, scan.getMaxVersions()),
          scan.getRowOffsetPerColumnFamily(),
          scan.getMaxResultsPerColumnFamily(),
          scan.isReversed());
    }

    /**
     * Returns whether a row has all that it may have after this many cells, with those left out.
     */
    boolean areReached(int counted) {
      return cells >= 0 && counted >= (long) cells + offset;
    }

    /** Returns whether a cell comes before another one in a scan of this direction. */
    boolean isBefore(Cell cell, Cell other) {
      CellComparator comparator = CellComparator.getInstance();
      int order = reversed ? comparator.compareRows(other, cell) : 0;
      return order != 0 ? order < 0 : comparator.compare(cell, other) < 0;
    }
  }

  private final Filter filter;
  private final Limits limits;
  private final boolean essential;
  private final boolean allColumns;

  /** The cell before which the filter wants none; null if there is no such cell. */
  private @Nullable Cell sought;

  /** Whether the filter has said that it wants nothing more. */
  private boolean closed;

  private @Nullable Cell column;
  private int versionsOfColumn;

  /**
   * Creates the evaluation for a family.
   *
   * @param essential whether the filter decides on rows by this family
   * @param allColumns whether the scan wants all columns of the family, not single ones
   */
  FilteredFamily(Filter filter, Limits limits, boolean essential, boolean allColumns) {
    this.filter = filter;
    this.limits = limits;
    this.essential = essential;
    this.allColumns = allColumns;
  }

  boolean isEssential() {
    return essential;
  }

  /** Returns whether the filter has said that it wants nothing more. */
  boolean isClosed() {
    return closed;
  }

  /** Returns the cell before which the filter wants none; null if there is no such cell. */
  @Nullable Cell sought() {
    return sought;
  }

  /** Returns the index of the first cell from an index on that is wanted; their number if none. */
  int firstWanted(List<Cell> cells, int from) {
    if (closed) {
      return cells.size();
    }
    int index = from;
    Cell target = sought;
    if (target != null) {
      while (index < cells.size() && limits.isBefore(cells.get(index), target)) {
        index++;
      }
      if (index < cells.size()) {
        sought = null;
      }
    }
    return index;
  }

  /** Adds the cells of a row that the filter includes. */
  void filter(List<Cell> cells, int from, List<Cell> target) throws IOException {
    int counted = 0;
    int index = from;
    while (index < cells.size()) {
      if (filter.filterAllRemaining()) {
        closed = true;
        return;
      }
      Cell cell = cells.get(index);
      Filter.ReturnCode code = filter.filterCell(cell);
      switch (code) {
        case SKIP -> index++;
        case NEXT_COL -> index = nextColumn(cells, index);
        case NEXT_ROW -> index = cells.size();
        case SEEK_NEXT_USING_HINT -> index = seek(cells, index);
        case INCLUDE, INCLUDE_AND_NEXT_COL, INCLUDE_AND_SEEK_NEXT_ROW -> {
          boolean wanted = isVersionWanted(cell);
          if (wanted) {
            Cell transformed = filter.transformCell(cell);
            counted++;
            if (counted > limits.offset) {
              target.add(transformed);
              if (limits.areReached(counted)) {
                return;
              }
            }
          }
          boolean stays = wanted && code == Filter.ReturnCode.INCLUDE;
          index = stays ? index + 1 : nextColumn(cells, index);
          if (code == Filter.ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW) {
            index = cells.size();
          }
        }
      }
    }
    // HBase asks once more, before the next row's first cell.
    closed = filter.filterAllRemaining();
  }

  private int seek(List<Cell> cells, int index) throws IOException {
    Cell cell = cells.get(index);
    Cell hint = filter.getNextCellHint(cell);
    if (hint == null) {
      return index + 1;
    }
    int order = CellComparator.getInstance().compare(hint, cell);
    if (limits.reversed ? order >= 0 : order <= 0) {
      return index + 1;
    }
    sought = hint;
    return firstWanted(cells, index + 1);
  }

  private boolean isVersionWanted(Cell cell) {
    if (column == null || !CellUtil.matchingRowColumn(cell, column)) {
      column = cell;
      versionsOfColumn = 0;
    }
    versionsOfColumn++;
    return versionsOfColumn <= limits.versions;
  }

  /**
   * Returns the index of the next column. In one without a qualifier, HBase goes to the next cell,
   * which may be a marker of the family, unless the scan names its columns.
   */
  private int nextColumn(List<Cell> cells, int index) {
    Cell cell = cells.get(index);
    int next = index + 1;
    if (allColumns && cell.getQualifierLength() == 0) {
      return next;
    }
    while (next < cells.size() && CellUtil.matchingQualifier(cells.get(next), cell)) {
      next++;
    }
    return next;
  }
}
