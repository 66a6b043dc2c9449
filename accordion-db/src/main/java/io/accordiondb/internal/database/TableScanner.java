// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.Cell;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.filter.Filter;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.read.RegionReader;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scans a table region by region, up or down. Belongs to one thread. */
final class TableScanner implements ResultScanner {
  private final TableReader reader;
  private final TableState table;
  private final Scan scan;
  private final ReadPoint readPoint;
  private final @Nullable Filter filter;

  /** Results of the current row that are still to be returned. */
  private final Deque<Result> pending = new ArrayDeque<>();

  private int regionIndex;
  private @Nullable RegionReader region;
  private long rowsLeft;
  private boolean closed;

  /** What has left the scanner nowhere. */
  private @Nullable Throwable failure;

  /** Creates a scanner, which takes the read point over if the constructor returns. */
  TableScanner(TableReader reader, TableState table, Scan scan, ReadPoint readPoint)
      throws IOException {
    this.reader = reader;
    this.table = table;
    this.scan = scan;
    this.readPoint = readPoint;
    this.filter = scan.filter();
    this.rowsLeft = scan.limit();
    TableReader.checkFamilies(table, scan);
    byte[] start = scan.startRow();
    if (!scan.reversed()) {
      regionIndex = table.regions().indexOf(firstRow());
    } else if (start.length == 0) {
      regionIndex = table.regions().regions().size() - 1;
    } else {
      regionIndex = table.regions().indexOf(start);
    }
  }

  @Override
  public @Nullable Result next() throws IOException {
    if (closed) {
      throw new IllegalStateException("the scanner has been closed");
    }
    if (failure != null) {
      throw new IOException("the scanner has failed before", failure);
    }
    try {
      while (pending.isEmpty()) {
        if (rowsLeft == 0 || !readRow()) {
          return null;
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    }
    return pending.poll();
  }

  /** Moves on by one row; returns false at the end of the scan. */
  private boolean readRow() throws IOException {
    RegionReader current = region == null ? openRegion() : region;
    byte[] row = current.nextRow();
    if (row == null) {
      return nextRegion();
    }
    if (isBehindStop(row)) {
      rowsLeft = 0;
      return false;
    }
    List<Cell> cells = new ArrayList<>();
    // Reading moves on, so it must be done for rows that are then left out, too.
    current.read(row, cells);
    if (!cells.isEmpty() && filter != null) {
      cells = filter.mayKeepRow(row) ? filter.keep(cells) : List.of();
    }
    if (!cells.isEmpty()) {
      rowsLeft--;
      for (int from = 0; from < cells.size(); from += Math.min(scan.batch(), cells.size())) {
        int to = (int) Math.min(cells.size(), (long) from + scan.batch());
        pending.add(new Result(cells.subList(from, to)));
      }
    }
    return true;
  }

  private boolean nextRegion() throws IOException {
    closeRegion();
    regionIndex += scan.reversed() ? -1 : 1;
    List<Region> regions = table.regions().regions();
    if (regionIndex < 0 || regionIndex >= regions.size()) {
      rowsLeft = 0;
      return false;
    }
    byte[] edge =
        scan.reversed() ? regions.get(regionIndex).endKey() : regions.get(regionIndex).startKey();
    if (!scan.reversed() && isBehindStop(edge)) {
      rowsLeft = 0;
      return false;
    }
    openRegion();
    return true;
  }

  private RegionReader openRegion() throws IOException {
    Region next = table.regions().regions().get(regionIndex);
    RegionReader opened = reader.reader(table, next, scan, readPoint.sequence());
    region = opened;
    if (scan.reversed()) {
      opened.openReversed(upperLimit(next));
    } else {
      byte[] first = firstRow();
      byte[] start = next.startKey();
      opened.open(Arrays.compareUnsigned(first, start) > 0 ? first : start);
    }
    return opened;
  }

  private byte[] firstRow() {
    return scan.startInclusive() || scan.startRow().length == 0
        ? scan.startRow()
        : CellKey.rowAfter(scan.startRow());
  }

  /** Returns the row below which a reversed scan begins in a region; null for no limit. */
  private byte @Nullable [] upperLimit(Region region) {
    byte[] end = region.endKey();
    byte[] start = scan.startRow();
    if (start.length == 0) {
      return end.length == 0 ? null : end;
    }
    byte[] limit = scan.startInclusive() ? CellKey.rowAfter(start) : start;
    return end.length == 0 || Arrays.compareUnsigned(limit, end) < 0 ? limit : end;
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
    if (region != null) {
      region.close();
      region = null;
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
