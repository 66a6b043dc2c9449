// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.CorruptionException;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Filter;
import io.accordiondb.Get;
import io.accordiondb.Query;
import io.accordiondb.Result;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.metrics.Corruptions;
import io.accordiondb.internal.metrics.Operations;
import io.accordiondb.internal.metrics.Tally;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.read.CellKey;
import io.accordiondb.internal.read.PendingCells;
import io.accordiondb.internal.read.PendingView;
import io.accordiondb.internal.read.PointReader;
import io.accordiondb.internal.read.ReadOptions;
import io.accordiondb.internal.read.RegionReader;
import io.accordiondb.internal.read.RowRange;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.statistics.OperationKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes gets and scans on the stored data. Thread-safe. */
public final class TableReader implements TableReads {
  private final ReadPoints readPoints;
  private final DatabaseClock clock;
  private final OpenTables tables;
  private final Telemetry telemetry;
  private final Operations operations;

  public TableReader(
      ReadPoints readPoints, DatabaseClock clock, OpenTables tables, Telemetry telemetry) {
    this.readPoints = readPoints;
    this.clock = clock;
    this.tables = tables;
    this.telemetry = telemetry;
    this.operations = telemetry.operations();
  }

  /** Returns the tables that this object reads. */
  public OpenTables tables() {
    return tables;
  }

  /** Returns the counters and timers of operations. */
  public Operations operations() {
    return operations;
  }

  /** Returns what receives damage that reads find. */
  public Corruptions corruptions() {
    return telemetry.corruptions();
  }

  @Override
  public TableState table(String name) throws IOException {
    return tables.get(name);
  }

  @Override
  public Snapshot snapshot() {
    return new EngineSnapshot(readPoints, telemetry.leaks());
  }

  @Override
  public Result get(TableState table, Get get) throws IOException {
    Snapshot snapshot = get.snapshot();
    try (ReadPoint readPoint =
        snapshot == null ? readPoints.enterBriefly() : EngineSnapshot.claim(snapshot, readPoints)) {
      return get(table, get, readPoint.sequence(), null);
    }
  }

  /**
   * Returns what a get finds at a sequence number that is held as a read point.
   *
   * @param pending uncommitted cells that the reader also sees, or null
   */
  public Result get(TableState table, Get get, long sequence, @Nullable PendingView pending)
      throws IOException {
    Tally tally = operations.tally();
    long cacheReads = tally.cacheReads();
    long fileReads = tally.fileReads();
    long begun = operations.begin(tally);
    Result result = read(table, get, sequence, pending);
    OperationKind kind = tally.getSince(cacheReads, fileReads);
    operations.end(tally, kind, begun, table.name(), get.row());
    return result;
  }

  /** Same as {@link #get(TableState, Get, long, PendingView)}, as part of a write. */
  Result read(TableState table, Get get, long sequence, @Nullable PendingView pending)
      throws IOException {
    try {
      return find(table, get, sequence, pending);
    } catch (CorruptionException e) {
      telemetry.corruptions().check(e);
      throw e;
    }
  }

  private Result find(TableState table, Get get, long sequence, @Nullable PendingView pending)
      throws IOException {
    byte[] row = get.row();
    Filter filter = get.filter();
    if (filter != null && !filter.mayKeepRow(row)) {
      return Result.EMPTY;
    }
    Region region = table.regions().regionOf(row);
    List<Cell> cells;
    try (RegionReader reader =
        reader(table, region, get, sequence, pending, row, RowRange.of(row))) {
      cells = reader.get(row);
    }
    tables.checkOpen();
    if (cells.isEmpty()) {
      return Result.EMPTY;
    }
    return new Result(filter == null ? cells : filter.keep(cells));
  }

  @Override
  public List<Result> getAll(TableState table, List<Get> gets) throws IOException {
    List<Result> results = new ArrayList<>(gets.size());
    try (ReadPoint readPoint = readPoints.enterBriefly()) {
      for (Get get : gets) {
        results.add(
            get.snapshot() == null ? get(table, get, readPoint.sequence(), null) : get(table, get));
      }
    }
    return results;
  }

  @Override
  public byte @Nullable [] value(
      TableState table, byte[] row, byte[] family, byte[] qualifier, @Nullable Snapshot snapshot)
      throws IOException {
    try (ReadPoint readPoint =
        snapshot == null ? readPoints.enterBriefly() : EngineSnapshot.claim(snapshot, readPoints)) {
      return value(table, row, family, qualifier, readPoint.sequence(), null);
    }
  }

  /**
   * Returns the value of a column's newest version at a sequence number that is held as a read
   * point.
   *
   * @param pending uncommitted cells that the reader also sees, or null
   */
  public byte @Nullable [] value(
      TableState table,
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long sequence,
      @Nullable PendingView pending)
      throws IOException {
    Tally tally = operations.tally();
    long cacheReads = tally.cacheReads();
    long fileReads = tally.fileReads();
    long begun = operations.begin(tally);
    byte[] value;
    try {
      value = findValue(table, row, family, qualifier, sequence, pending);
    } catch (CorruptionException e) {
      telemetry.corruptions().check(e);
      throw e;
    }
    OperationKind kind = tally.getSince(cacheReads, fileReads);
    operations.end(tally, kind, begun, table.name(), row);
    return value;
  }

  private byte @Nullable [] findValue(
      TableState table,
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long sequence,
      @Nullable PendingView pending)
      throws IOException {
    tables.checkOpen();
    Store store = table.store(table.regions().regionOf(row), family);
    if (pending == null
        || pending.rows(familyOf(table, store), row, CellKey.rowAfter(row)) == null) {
      long now = clock.millis();
      try (StoreView view = store.view(true);
          PointReader reader = PointReader.take()) {
        store.checkReadable(sequence);
        PointReader.Outcome outcome = reader.find(view, row, qualifier, sequence, now, true);
        if (outcome != PointReader.Outcome.MUST_MERGE) {
          byte[] value = outcome == PointReader.Outcome.FOUND ? reader.value() : null;
          tables.checkOpen();
          return value;
        }
      }
    }
    Get get = new Get(row).addColumn(family, qualifier);
    return find(table, get, sequence, pending).value(family, qualifier);
  }

  /** Returns another claim to a read point, which is valid if that was held until afterwards. */
  ReadPoint claim(ReadPoint held) {
    return readPoints.enter(held);
  }

  @Override
  public RowScanner scan(TableState table, Scan scan) throws IOException {
    Snapshot snapshot = scan.snapshot();
    ReadPoint readPoint =
        snapshot == null ? readPoints.enterScan() : EngineSnapshot.claim(snapshot, readPoints);
    return scan(table, scan, readPoint, null, null);
  }

  /**
   * Begins a scan at a read point. The scanner owns the read point; if this throws, the read point
   * is closed.
   *
   * @param pending uncommitted cells that the reader also sees, or null
   * @param observer receives the progress of the scan, or null
   */
  public RowScanner scan(
      TableState table,
      Scan scan,
      ReadPoint readPoint,
      @Nullable PendingView pending,
      @Nullable ScanObserver observer)
      throws IOException {
    RowScanner scanner = null;
    try {
      Tally tally = operations.tally();
      long begun = operations.begin(tally);
      scanner = new RowScanner(this, tables, table, scan, readPoint, pending, observer, telemetry);
      operations.end(tally, OperationKind.SCAN_OPEN, begun, table.name(), scan.startRow());
      return scanner;
    } finally {
      if (scanner == null) {
        readPoint.close();
      }
    }
  }

  /**
   * Opens the stores of a region that a query selects.
   *
   * @param pending uncommitted cells that the reader also sees, or null
   * @param row the only row that will be read, or null
   * @param rows the rows that are wanted
   */
  RegionReader reader(
      TableState table,
      Region region,
      Query<?> query,
      long sequence,
      @Nullable PendingView pending,
      byte @Nullable [] row,
      RowRange rows)
      throws IOException {
    tables.checkOpen();
    List<byte[]> families = query.families();
    List<Store> stores = stores(table, region, families, sequence);
    ReadOptions options =
        new ReadOptions(
            sequence,
            clock.millis(),
            query.versions(),
            query.minTimestamp(),
            query.maxTimestamp(),
            query instanceof Scan scan && scan.raw(),
            query.allTags(),
            query.cacheBlocks());
    List<RegionReader.Selection> selections = new ArrayList<>(stores.size());
    RegionReader reader = new RegionReader(selections, options);
    boolean whole = false;
    try {
      for (Store store : stores) {
        byte[][] qualifiers = families.isEmpty() ? null : query.qualifiers(store.family());
        PendingView.Rows own =
            pending == null ? null : pendingRows(pending, table, region, store, row);
        StoreView view = store.view(query.cacheBlocks());
        boolean added = false;
        try {
          added = selections.add(new RegionReader.Selection(view, qualifiers, own, rows));
        } finally {
          if (!added) {
            view.close();
          }
        }
        store.checkReadable(sequence);
      }
      whole = true;
      return reader;
    } finally {
      if (!whole) {
        reader.close();
      }
    }
  }

  private static PendingView.@Nullable Rows pendingRows(
      PendingView pending, TableState table, Region region, Store store, byte @Nullable [] row) {
    return row == null
        ? pending.rows(familyOf(table, store), region.startKey(), region.endKey())
        : pending.rows(familyOf(table, store), row, CellKey.rowAfter(row));
  }

  /** Returns the name of a store among pending cells. */
  public static PendingCells.Family familyOf(TableState table, Store store) {
    return new PendingCells.Family(table.tableId(), store.id().familyId());
  }

  private static List<Store> stores(
      TableState table, Region region, List<byte[]> families, long sequence) throws IOException {
    if (families.isEmpty()) {
      region.checkComplete();
      table.checkReadable(sequence);
      return region.stores();
    }
    List<Store> stores = new ArrayList<>(families.size());
    for (byte[] family : families) {
      stores.add(table.store(region, family));
    }
    return stores;
  }

  /**
   * Throws an exception for a family that the table does not have, and for a raw scan that selects
   * columns.
   */
  static void checkFamilies(TableState table, Query<?> query) throws FamilyNotFoundException {
    Region any = table.regions().regions().get(0);
    boolean raw = query instanceof Scan scan && scan.raw();
    for (byte[] family : query.families()) {
      table.store(any, family);
      if (raw && query.qualifiers(family) != null) {
        throw new IllegalArgumentException(
            "a raw scan selects whole families, but columns of "
                + new String(family, StandardCharsets.UTF_8)
                + " were added");
      }
    }
  }
}
