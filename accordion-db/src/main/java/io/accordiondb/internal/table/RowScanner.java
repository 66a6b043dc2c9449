// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.ClosedException;
import io.accordiondb.DatabaseException;
import io.accordiondb.Scan;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.metrics.Leaks;
import io.accordiondb.internal.metrics.Operations;
import io.accordiondb.internal.metrics.Tally;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.read.PendingView;
import io.accordiondb.internal.read.RegionReader;
import io.accordiondb.internal.read.RowRange;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.RegionMap;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.statistics.OperationKind;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the rows of a table between the bounds of a scan, region by region, in either
 * direction. Belongs to one thread, except that any threads may close it at the same time: another
 * reader may claim a read point that was released, so it must be released once.
 */
public final class RowScanner implements Closeable {
  private static final VarHandle CLOSED = closedHandle();

  private final TableReader reader;
  private final OpenTables tables;
  private final Scan scan;
  private final ReadPoint readPoint;

  /** Uncommitted writes that the scanner also sees, or null. */
  private final @Nullable PendingView pending;

  /** How often uncommitted writes had been taken back when the scanner was moved last. */
  private long truncationsSeen;

  /** Receives the position of the scanner; may be null. */
  private final @Nullable ScanObserver observer;

  private TableState table;

  /**
   * The row from which the scan continues in the next region. In a reversed scan, it continues
   * before this row, and null means the end of the table.
   */
  private byte @Nullable [] edge;

  /** The bounds of the scan. */
  private final RowRange rows;

  private @Nullable Region region;
  private @Nullable RegionReader regionReader;
  private boolean downwards;
  private boolean atEnd;

  /** Whether a seek has moved the scanner off its way from one bound to the other. */
  private boolean repositioned;

  /** Set through {@link #CLOSED}. Most reads are plain: closing need not end a call of a user. */
  private boolean closed;

  private final Telemetry telemetry;
  private final Leaks.@Nullable Watch watch;

  /** The number of rows moved to that have not been counted yet. */
  private int rowsUncounted;

  /** The number of rows to move to before one is timed. */
  private int untilTimed;

  /** The failure after which the scanner has no position; null if there was none. */
  private @Nullable Throwable failure;

  /** Creates a scanner. It owns the read point if the constructor returns normally. */
  RowScanner(
      TableReader reader,
      OpenTables tables,
      TableState table,
      Scan scan,
      ReadPoint readPoint,
      @Nullable PendingView pending,
      @Nullable ScanObserver observer,
      Telemetry telemetry)
      throws IOException {
    this.reader = reader;
    this.tables = tables;
    this.table = table;
    this.scan = scan;
    this.readPoint = readPoint;
    this.pending = pending;
    this.truncationsSeen = pending == null ? 0 : pending.truncations();
    this.observer = observer;
    TableReader.checkFamilies(table, scan);
    byte[] lowest =
        scan.reversed()
            ? RowBounds.lowest(scan.stopRow(), scan.stopInclusive())
            : RowBounds.lowest(scan.startRow(), scan.startInclusive());
    byte[] limit =
        scan.reversed()
            ? RowBounds.limit(scan.startRow(), scan.startInclusive())
            : RowBounds.limit(scan.stopRow(), scan.stopInclusive());
    rows = new RowRange(lowest, limit == null ? new byte[0] : limit);
    downwards = scan.reversed();
    edge = downwards ? limit : lowest;
    this.telemetry = telemetry;
    untilTimed = telemetry.operations().rowsUntilTimed(telemetry.operations().tally());
    watch = telemetry.leaks().watch(this, "a scanner, iterator or cursor of table ", table.name());
  }

  private static VarHandle closedHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(RowScanner.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Checks that the scanner can continue.
   *
   * @throws ClosedException if it is closed, or the database
   * @throws IOException if it has failed; the failure itself if that says what is wrong
   */
  void check() throws IOException {
    checkOpen();
    if (failure instanceof DatabaseException known) {
      throw known;
    }
    if (failure != null) {
      throw new IOException(
          "the scanner or cursor of table " + table.name() + " has failed before: " + failure,
          failure);
    }
  }

  /**
   * Checks that the scanner can be used.
   *
   * @throws ClosedException if it is closed, or the database
   */
  void checkOpen() {
    if (closed) {
      throw closedException();
    }
    tables.checkOpen();
    if (observer != null) {
      observer.check();
    }
  }

  private ClosedException closedException() {
    return new ClosedException("the scanner or cursor of table " + table.name());
  }

  /** Returns whether the scan is of a snapshot of the application, which may be closed by now. */
  boolean isOfSnapshot() {
    return scan.snapshot() instanceof EngineSnapshot;
  }

  /** Begins the scan of a snapshot again, as of the same moment. */
  RowScanner again() throws IOException {
    ReadPoint claim = reader.claim(readPoint);
    if ((boolean) CLOSED.getVolatile(this)) {
      claim.close();
      throw closedException();
    }
    return reader.scan(table, scan, claim, pending, observer);
  }

  String tableName() {
    return table.name();
  }

  /**
   * Records a failure that left the scanner without a position; {@link #check} then throws.
   *
   * @throws ClosedException if another thread has closed the scanner; its memory may hold other
   *     cells since then, so the failure says nothing about the files
   */
  void fail(Throwable cause) {
    failure = cause;
    if ((boolean) CLOSED.getVolatile(this)) {
      ClosedException closing = closedException();
      closing.addSuppressed(cause);
      throw closing;
    }
    telemetry.corruptions().check(cause);
  }

  /**
   * Moves to the next row that has a cell, visible or not, and returns it; null at the end. The row
   * must then be read, by {@link #read} or {@link #readValue}.
   */
  byte @Nullable [] nextRow() throws IOException {
    if (untilTimed == 0) {
      return nextRowTimed();
    }
    untilTimed--;
    rowsUncounted++;
    leaveTruncated();
    byte[] row = null;
    while (row == null && !atEnd) {
      RegionReader current = regionReader == null ? openRegion() : regionReader;
      row = current.nextRow();
      if (row == null) {
        nextRegion();
      }
    }
    if (row != null && isBehindBound(row)) {
      atEnd = true;
      row = null;
    }
    if (observer != null && !repositioned) {
      observer.onRow(row);
    }
    return row;
  }

  /** Leaves the row at which the scanner stands if writes were taken back, perhaps that row. */
  private void leaveTruncated() throws IOException {
    long truncations = pending == null ? 0 : pending.truncations();
    RegionReader open = regionReader;
    if (truncations != truncationsSeen && open != null) {
      open.seekAgain();
    }
    truncationsSeen = truncations;
  }

  private byte @Nullable [] nextRowTimed() throws IOException {
    Operations operations = telemetry.operations();
    Tally tally = operations.tally();
    long begun = operations.beginTimed(tally);
    untilTimed = 1;
    byte[] row = nextRow();
    untilTimed = operations.rowsUntilTimed(tally);
    count(tally);
    operations.endTimed(tally, OperationKind.SCAN_NEXT, begun, table.name(), row);
    return row;
  }

  private void count(Tally tally) {
    tally.count(OperationKind.SCAN_NEXT, rowsUncounted);
    rowsUncounted = 0;
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

  /** Moves to the first row at or after a row, and walks upwards from there. */
  void seek(byte[] row) throws IOException {
    downwards = false;
    goTo(Arrays.compareUnsigned(row, rows.first()) < 0 ? rows.first() : row);
  }

  /**
   * Moves to the last row before a row, or to the last row of all if that is null, and walks
   * downwards from there.
   */
  void seekBefore(byte @Nullable [] row) throws IOException {
    downwards = true;
    byte[] end = rows.end();
    boolean beyond = end.length > 0 && (row == null || Arrays.compareUnsigned(row, end) > 0);
    goTo(beyond ? end : row);
  }

  private void goTo(byte @Nullable [] row) throws IOException {
    edge = row;
    atEnd = false;
    repositioned = true;
    if (observer != null) {
      // The observer does not track seeks, so it must assume that the scan has seen all rows within
      // its bounds.
      observer.onRow(null);
    }
    RegionReader open = regionReader;
    if (open != null && regionAtEdge().equals(region)) {
      position(open);
    } else {
      closeRegion();
    }
  }

  /** Returns whether the scanner walks downwards. */
  boolean isDownwards() {
    return downwards;
  }

  /** Leaves a row whose value was found by {@link #findValue}. */
  void leaveRow(byte[] row) throws IOException {
    Objects.requireNonNull(regionReader).leaveRow(row);
  }

  /**
   * Stays on the visible value of the column without a name in the row that {@link #nextRow} has
   * returned; returns whether there is one. For scans of one family.
   */
  boolean findValue(byte[] row) throws IOException {
    return Objects.requireNonNull(regionReader).findValue(row);
  }

  /** Returns a view of the value found, until the scanner moves. */
  ByteBuffer valueView() {
    return Objects.requireNonNull(regionReader).valueView();
  }

  private void nextRegion() throws IOException {
    Region last = Objects.requireNonNull(region);
    closeRegion();
    byte[] next = downwards ? last.startKey() : last.endKey();
    boolean isOutside = downwards ? rows.beginsAtOrBehind(next) : rows.endsBefore(next);
    if (next.length == 0 || isOutside) {
      atEnd = true;
      return;
    }
    edge = next;
  }

  private RegionReader openRegion() throws IOException {
    while (true) {
      Region next = regionAtEdge();
      try {
        RegionReader opened =
            reader.reader(table, next, scan, readPoint.sequence(), pending, null, rows);
        region = next;
        regionReader = opened;
        position(opened);
        return opened;
      } catch (StoreClosedException e) {
        table = tables.getAgain(table, readPoint.sequence());
      }
    }
  }

  private void position(RegionReader opened) throws IOException {
    if (downwards) {
      opened.seekBefore(edge);
    } else {
      opened.seek(Objects.requireNonNull(edge));
    }
  }

  private Region regionAtEdge() {
    RegionMap regions = table.regions();
    List<Region> all = regions.regions();
    if (edge == null) {
      return all.get(all.size() - 1);
    }
    int index = regions.indexOf(edge);
    boolean below = downwards && index > 0 && Arrays.equals(all.get(index).startKey(), edge);
    return all.get(below ? index - 1 : index);
  }

  private boolean isBehindBound(byte[] row) {
    return downwards ? Arrays.compareUnsigned(row, rows.first()) < 0 : rows.endsBefore(row);
  }

  private void closeRegion() throws IOException {
    if (regionReader != null) {
      regionReader.close();
      regionReader = null;
    }
  }

  @Override
  public void close() throws IOException {
    if (CLOSED.compareAndSet(this, false, true)) {
      try {
        closeRegion();
      } finally {
        readPoint.close();
        telemetry.leaks().close(watch);
        count(telemetry.operations().tally());
      }
    }
  }
}
