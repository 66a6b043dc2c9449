// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Cell;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Filter;
import io.accordiondb.Get;
import io.accordiondb.Query;
import io.accordiondb.Result;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.commit.ReadPoints.ReadPoint;
import io.accordiondb.internal.read.PointReader;
import io.accordiondb.internal.read.ReadOptions;
import io.accordiondb.internal.read.RegionReader;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.TableState;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers gets and scans. Thread-safe. */
public final class TableReader {
  private final ReadPoints readPoints;
  private final DatabaseClock clock;
  private final OpenTables tables;

  public TableReader(ReadPoints readPoints, DatabaseClock clock, OpenTables tables) {
    this.readPoints = readPoints;
    this.clock = clock;
    this.tables = tables;
  }

  /** Returns a snapshot of the whole database, which is to be closed. */
  Snapshot snapshot() {
    return new EngineSnapshot(readPoints);
  }

  /** Returns what a get finds. */
  Result get(TableState table, Get get) throws IOException {
    Snapshot snapshot = get.snapshot();
    try (ReadPoint readPoint =
        snapshot == null ? readPoints.enterBriefly() : EngineSnapshot.claim(snapshot, readPoints)) {
      return get(table, get, readPoint.sequence());
    }
  }

  /** Returns what a get finds at a sequence number that somebody holds as a read point. */
  Result get(TableState table, Get get, long sequence) throws IOException {
    byte[] row = get.row();
    Filter filter = get.filter();
    if (filter != null && !filter.mayKeepRow(row)) {
      return Result.EMPTY;
    }
    Region region = table.regions().regionOf(row);
    List<Cell> cells;
    try (RegionReader reader = reader(table, region, get, sequence)) {
      cells = reader.get(row);
    }
    tables.checkOpen();
    if (cells.isEmpty()) {
      return Result.EMPTY;
    }
    return new Result(filter == null ? cells : filter.keep(cells));
  }

  /** Returns what several gets find, all as of one moment. */
  List<Result> getAll(TableState table, List<Get> gets) throws IOException {
    List<Result> results = new ArrayList<>(gets.size());
    try (ReadPoint readPoint = readPoints.enterBriefly()) {
      for (Get get : gets) {
        results.add(
            get.snapshot() == null ? get(table, get, readPoint.sequence()) : get(table, get));
      }
    }
    return results;
  }

  /** Returns the value of a column's newest version, or null: what a get of it alone finds. */
  byte @Nullable [] value(
      TableState table, byte[] row, byte[] family, byte[] qualifier, @Nullable Snapshot snapshot)
      throws IOException {
    try (ReadPoint readPoint =
        snapshot == null ? readPoints.enterBriefly() : EngineSnapshot.claim(snapshot, readPoints)) {
      tables.checkOpen();
      Store store = table.store(table.regions().regionOf(row), family);
      ReadOptions options = ReadOptions.newest(readPoint.sequence(), clock.millis());
      FoundCell found = new FoundCell();
      StoreView view = store.view(true);
      try (Closeable pin = view.pin()) {
        store.checkReadable(readPoint.sequence());
        PointReader.Outcome outcome = PointReader.find(view, row, qualifier, options, found);
        if (outcome != PointReader.Outcome.MUST_MERGE) {
          byte[] value = outcome == PointReader.Outcome.FOUND ? found.value() : null;
          tables.checkOpen();
          return value;
        }
      }
      Get get = new Get(row).addColumn(family, qualifier);
      return get(table, get, readPoint.sequence()).value(family, qualifier);
    }
  }

  /** Begins a scan. */
  RowScanner scan(TableState table, Scan scan) throws IOException {
    Snapshot snapshot = scan.snapshot();
    ReadPoint readPoint =
        snapshot == null ? readPoints.enter() : EngineSnapshot.claim(snapshot, readPoints);
    RowScanner scanner = null;
    try {
      scanner = new RowScanner(this, tables, table, scan, readPoint);
      return scanner;
    } finally {
      if (scanner == null) {
        readPoint.close();
      }
    }
  }

  /** Opens the stores of a region that a query asks for. */
  RegionReader reader(TableState table, Region region, Query<?> query, long sequence)
      throws IOException {
    tables.checkOpen();
    List<Store> stores = stores(table, region, query);
    ReadOptions options =
        new ReadOptions(
            sequence,
            clock.millis(),
            query.versions(),
            query.minTimestamp(),
            query.maxTimestamp(),
            query.cacheBlocks());
    List<RegionReader.Selection> selections = new ArrayList<>(stores.size());
    RegionReader reader = new RegionReader(selections, options);
    boolean whole = false;
    try {
      for (Store store : stores) {
        selections.add(
            new RegionReader.Selection(store.view(query.cacheBlocks()), qualifiers(query, store)));
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

  private static byte @Nullable [][] qualifiers(Query<?> query, Store store) {
    return query.families().isEmpty() ? null : query.qualifiers(store.family());
  }

  private static List<Store> stores(TableState table, Region region, Query<?> query)
      throws IOException {
    List<Store> stores;
    if (query.families().isEmpty()) {
      stores = region.stores();
    } else {
      stores = new ArrayList<>(query.families().size());
      for (byte[] family : query.families()) {
        stores.add(table.store(region, family));
      }
    }
    return stores;
  }

  /** Throws for a family that the table does not have. */
  static void checkFamilies(TableState table, Query<?> query) throws FamilyNotFoundException {
    Region any = table.regions().regions().get(0);
    for (byte[] family : query.families()) {
      table.store(any, family);
    }
  }
}
