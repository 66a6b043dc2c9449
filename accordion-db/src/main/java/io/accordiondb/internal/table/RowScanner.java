// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.ClosedException;
import io.accordiondb.Scan;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.read.PendingView;
import io.accordiondb.internal.read.RegionReader;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.RegionMap;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Moves over the rows of a table between the bounds of a scan, region by region, up or down.
 * Belongs to one thread.
 */
public final class RowScanner implements Closeable {
  private final TableReader reader;
  private final OpenTables tables;
  private final Scan scan;
  private final ReadPoint readPoint;

  /** What the scanner sees beside, or null. */
  private final @Nullable PendingView pending;

  /** Is told how far the scanner has come, or null. */
  private final @Nullable ScanObserver observer;

  private TableState table;

  /**
   * Where the next region is opened: the row at which to begin or, reversed, before which; there,
   * null is the end of the table.
   */
  private byte @Nullable [] edge;

  private @Nullable Region region;
  private @Nullable RegionReader regionReader;
  private boolean atEnd;
  private boolean closed;

  /** What has left the scanner nowhere. */
  private @Nullable Throwable failure;

  /** Creates a scanner, which takes the read point over if the constructor returns. */
  RowScanner(
      TableReader reader,
      OpenTables tables,
      TableState table,
      Scan scan,
      ReadPoint readPoint,
      @Nullable PendingView pending,
      @Nullable ScanObserver observer)
      throws IOException {
    this.reader = reader;
    this.tables = tables;
    this.table = table;
    this.scan = scan;
    this.readPoint = readPoint;
    this.pending = pending;
    this.observer = observer;
    TableReader.checkFamilies(table, scan);
    edge = scan.reversed() ? firstLimit() : firstRow();
  }

  /**
   * Checks that the scanner can go on.
   *
   * @throws ClosedException if it is closed, or the database
   * @throws IOException if it has failed
   */
  void check() throws IOException {
    if (closed) {
      throw new ClosedException("the scanner of table " + table.name());
    }
    if (failure != null) {
      throw new IOException("the scanner has failed before", failure);
    }
    if (observer != null) {
      observer.check();
    }
    tables.checkOpen();
  }

  /** Says that a failure has left the scanner nowhere; {@link #check} throws from now on. */
  void fail(Throwable cause) {
    failure = cause;
  }

  /**
   * Moves to the next row that has a cell, visible or not, and returns it; null at the end. The row
   * must then be read, by {@link #read} or {@link #readValue}.
   */
  byte @Nullable [] nextRow() throws IOException {
    byte[] row = null;
    while (row == null && !atEnd) {
      RegionReader current = regionReader == null ? openRegion() : regionReader;
      row = current.nextRow();
      if (row == null) {
        nextRegion();
      }
    }
    if (row != null && isBehindStop(row)) {
      atEnd = true;
      row = null;
    }
    if (observer != null) {
      observer.onRow(row);
    }
    return row;
  }

  /** Adds the visible cells of the row that {@link #nextRow} has returned. */
  void read(byte[] row, List<Cell> target) throws IOException {
    Objects.requireNonNull(regionReader).read(row, target);
  }

  /**
   * Returns the visible value of the column without a name in the row that {@link #nextRow} has
   * returned; null if there is none. For scans of one family.
   */
  byte @Nullable [] readValue(byte[] row) throws IOException {
    return Objects.requireNonNull(regionReader).readValue(row);
  }

  private void nextRegion() throws IOException {
    Region last = Objects.requireNonNull(region);
    closeRegion();
    byte[] next = scan.reversed() ? last.startKey() : last.endKey();
    if (next.length == 0 || (!scan.reversed() && isBehindStop(next))) {
      atEnd = true;
      return;
    }
    edge = next;
  }

  private RegionReader openRegion() throws IOException {
    while (true) {
      Region next = regionAtEdge();
      try {
        RegionReader opened = reader.reader(table, next, scan, readPoint.sequence(), pending, null);
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
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        closeRegion();
      } finally {
        readPoint.close();
      }
    }
  }
}
