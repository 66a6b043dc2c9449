// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.Filter;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.read.RegionReader;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.RegionMap;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Scans a table region by region, up or down. Belongs to one thread. */
final class TableScanner implements ResultScanner {
  private final TableReader reader;
  private final Scan scan;
  private final ReadPoint readPoint;
  private final @Nullable Filter filter;

  /** Results of the current row that are still to be returned, if it has more than one. */
  private final Deque<Result> pending = new ArrayDeque<>();

  /** The cells of the current row. */
  private final List<Cell> rowCells = new ArrayList<>();

  private final OpenTables tables;
  private TableState table;

  /**
   * Where the next region is opened: the row at which to begin or, reversed, before which; there,
   * null is the end of the table.
   */
  private byte @Nullable [] edge;

  private @Nullable Region region;
  private @Nullable RegionReader regionReader;
  private long rowsLeft;
  private boolean closed;

  /** What has left the scanner nowhere. */
  private @Nullable Throwable failure;

  /** Creates a scanner, which takes the read point over if the constructor returns. */
  TableScanner(
      TableReader reader, OpenTables tables, TableState table, Scan scan, ReadPoint readPoint)
      throws IOException {
    this.reader = reader;
    this.table = table;
    this.scan = scan;
    this.readPoint = readPoint;
    this.tables = tables;
    this.filter = scan.filter();
    this.rowsLeft = scan.limit();
    TableReader.checkFamilies(table, scan);
    edge = scan.reversed() ? firstLimit() : firstRow();
  }

  @Override
  public @Nullable Result next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scanner has been closed");
    }
    if (failure != null) {
      throw new IOException("the scanner has failed before", failure);
    }
    tables.checkOpen();
    try {
      while (pending.isEmpty()) {
        if (rowsLeft == 0) {
          return null;
        }
        Result row = readRow();
        if (row != null) {
          return row;
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    }
    return pending.poll();
  }

  /**
   * Moves on by one row, or to the next region, or to the end, where no rows are left. Returns the
   * row, or null if it has nothing to return, or several results, which are {@link #pending}.
   */
  private @Nullable Result readRow() throws IOException {
    RegionReader current = regionReader == null ? openRegion() : regionReader;
    byte[] row = current.nextRow();
    if (row == null) {
      nextRegion();
      return null;
    }
    if (isBehindStop(row)) {
      rowsLeft = 0;
      return null;
    }
    List<Cell> cells = rowCells;
    cells.clear();
    // Reading moves on, so it must be done for rows that are then left out, too.
    current.read(row, cells);
    if (!cells.isEmpty() && filter != null) {
      cells = filter.mayKeepRow(row) ? filter.keep(cells) : List.of();
    }
    if (cells.isEmpty()) {
      return null;
    }
    rowsLeft--;
    if (cells.size() == 1) {
      return new Result(List.of(cells.get(0)));
    }
    if (cells.size() <= scan.batch()) {
      return new Result(cells);
    }
    for (int from = 0; from < cells.size(); from += scan.batch()) {
      int to = (int) Math.min(cells.size(), (long) from + scan.batch());
      pending.add(new Result(cells.subList(from, to)));
    }
    return null;
  }

  private void nextRegion() throws IOException {
    Region last = Objects.requireNonNull(region);
    closeRegion();
    byte[] next = scan.reversed() ? last.startKey() : last.endKey();
    if (next.length == 0 || (!scan.reversed() && isBehindStop(next))) {
      rowsLeft = 0;
      return;
    }
    edge = next;
    openRegion();
  }

  private RegionReader openRegion() throws IOException {
    while (true) {
      Region next = regionAtEdge();
      try {
        RegionReader opened = reader.reader(table, next, scan, readPoint.sequence());
        region = next;
        regionReader = opened;
        if (scan.reversed()) {
          opened.openReversed(edge);
        } else {
          opened.open(Objects.requireNonNull(edge));
        }
        return opened;
      } catch (StoreClosedException e) {
        table = tables.getAgain(table);
      }
    }
  }

  private Region regionAtEdge() {
    RegionMap regions = table.regions();
    List<Region> all = regions.regions();
    if (edge == null) {
      return all.get(all.size() - 1);
    }
    int index = regions.indexOf(edge);
    boolean below = scan.reversed() && index > 0 && Arrays.equals(all.get(index).startKey(), edge);
    return all.get(below ? index - 1 : index);
  }

  private byte[] firstRow() {
    return scan.startInclusive() || scan.startRow().length == 0
        ? scan.startRow()
        : CellKey.rowAfter(scan.startRow());
  }

  /** Returns the row below which a reversed scan begins; null for the end of the table. */
  private byte @Nullable [] firstLimit() {
    byte[] start = scan.startRow();
    if (start.length == 0) {
      return null;
    }
    return scan.startInclusive() ? CellKey.rowAfter(start) : start;
  }

  private boolean isBehindStop(byte[] row) {
    byte[] stop = scan.stopRow();
    if (stop.length == 0) {
      return false;
    }
    int order = Arrays.compareUnsigned(row, stop);
    if (scan.reversed()) {
      order = -order;
    }
    return scan.stopInclusive() ? order > 0 : order >= 0;
  }

  private void closeRegion() throws IOException {
    if (regionReader != null) {
      regionReader.close();
      regionReader = null;
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        closeRegion();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        readPoint.close();
      }
    }
  }
}
