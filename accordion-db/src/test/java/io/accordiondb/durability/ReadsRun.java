// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowCursor;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.Transaction;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads, and checks that nothing is held afterwards, whatever allocation has failed. Runs among
 * {@link AllocatingClasses}.
 */
final class ReadsRun {
  private static final int ROWS = 9;
  private static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");
  private static final MemoryStorage DISK = new MemoryStorage();

  private static @Nullable Database opened;

  private ReadsRun() {}

  /** Something that reads, and closes what it has opened. */
  private interface Reading {
    void read(Database database, Table table) throws IOException;
  }

  /** Reads in all ways. A scan is first, because it is then the first operation of its thread. */
  static void read(long unused) throws IOException {
    Database database = database();
    List<Reading> readings =
        List.of(
            ReadsRun::scan,
            ReadsRun::get,
            ReadsRun::readSnapshot,
            ReadsRun::readInTransaction,
            ReadsRun::moveCursor);
    for (Reading reading : readings) {
      try {
        reading.read(database, database.table("t"));
      } catch (OutOfMemoryError e) {
        // What was opened is closed.
      }
    }
  }

  private static void scan(Database unused, Table table) throws IOException {
    for (boolean reverse : new boolean[] {false, true}) {
      readAll(table, new Scan().addColumn(FAMILY, QUALIFIER).setReversed(reverse));
    }
  }

  private static void readAll(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.scan(scan)) {
      while (scanner.next() != null) {
        // It reads them all.
      }
    }
  }

  private static void get(Database unused, Table table) throws IOException {
    table.get(new Get(row(1)));
    table.get(new Get(row(2)).addColumn(FAMILY, QUALIFIER));
    table.get(new Get(row(2)).addColumn(FAMILY, QUALIFIER).setVersions(2));
  }

  private static void readSnapshot(Database database, Table table) throws IOException {
    try (Snapshot snapshot = database.snapshot()) {
      table.get(new Get(row(2)).setSnapshot(snapshot));
      readAll(table, new Scan().setSnapshot(snapshot));
    }
  }

  private static void readInTransaction(Database database, Table unused) throws IOException {
    try (Transaction transaction = database.beginTransaction()) {
      Table own = transaction.table("t");
      own.put(put(3));
      readAll(own, new Scan());
      own.get(new Get(row(3)));
    }
  }

  private static void moveCursor(Database unused, Table table) throws IOException {
    try (RowCursor cursor = table.cursor(new Scan())) {
      cursor.first();
      cursor.refresh();
      cursor.last();
    }
  }

  /** Flushes and compacts; an allocation may fail. */
  static void compact(long unused) throws IOException {
    Database database = database();
    try {
      database.flush();
      database.majorCompact("t");
    } catch (IOException | OutOfMemoryError e) {
      // The next attempt succeeds.
    }
  }

  /** Checks that nothing holds memory, a moment, or a file that is to be deleted. */
  static void check(long unused) throws IOException {
    Database database = database();
    database.flush();
    database.majorCompact("t");
    long bytes = database.statistics().memory().usedBytes();
    int readPoints = database.statistics().readers().readPoints();
    int files = DISK.list("sst").size();
    if (bytes > 0 || readPoints > 0 || files > 1) {
      throw new AssertionError(
          bytes + " bytes of memory, " + readPoints + " read points, and " + files + " files");
    }
    fill(database);
  }

  private static Database database() throws IOException {
    Database database = opened;
    if (database == null) {
      database =
          DatabaseEngine.open(DISK, DatabaseOptions.builder().compactWhenIdle(false).build());
      database.createTable(TableDescriptor.of("t", "f"));
      fill(database);
      opened = database;
    }
    return database;
  }

  /** Makes a file, and rows and a range tombstone in memory. */
  private static void fill(Database database) throws IOException {
    Table table = database.table("t");
    for (int i = 0; i < ROWS; i++) {
      table.put(put(i));
    }
    database.flush();
    for (int i = 0; i < ROWS; i += 2) {
      table.put(put(i));
    }
    table.deleteRange(row(4), row(6));
  }

  private static Put put(int row) {
    return new Put(row(row)).addColumn(FAMILY, QUALIFIER, bytes("value"));
  }

  private static byte[] row(int row) {
    return bytes("row" + row);
  }
}
