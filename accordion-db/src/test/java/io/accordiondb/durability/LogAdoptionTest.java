// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Delete;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.RepairReport;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.repair.Repairer;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a repair makes of logged cells whose regions only the lost manifest named. */
class LogAdoptionTest {
  private static final byte[] FAMILY = "f".getBytes(US_ASCII);
  private static final byte[] QUALIFIER = "q".getBytes(US_ASCII);

  private final MemoryStorage disk = new MemoryStorage();

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(16 << 20).logFileBytes(1 << 20).build();
  }

  private static void put(Database database, String table, String row) throws IOException {
    database
        .table(table)
        .put(
            new Put(row.getBytes(US_ASCII))
                .addColumn(FAMILY, QUALIFIER, ("value of " + row).getBytes(US_ASCII)));
  }

  private static boolean has(Database database, String table, String row) throws IOException {
    byte[] value =
        database.table(table).get(new Get(row.getBytes(US_ASCII))).value(FAMILY, QUALIFIER);
    if (value != null) {
      assertThat(new String(value, US_ASCII)).isEqualTo("value of " + row);
    }
    return value != null;
  }

  /** Returns the disk as it is now, without its manifest. */
  private MemoryStorage killedWithoutManifest() throws IOException {
    MemoryStorage killed = disk.copy();
    for (String name : killed.list("")) {
      if (name.startsWith("MANIFEST") || name.equals("CURRENT")) {
        killed.delete(name);
      }
    }
    return killed;
  }

  private static RepairReport repair(MemoryStorage damaged) throws IOException {
    RepairReport report = new Repairer(damaged).repair();
    assertThat(new Verifier(damaged).verify().problems()).isEmpty();
    return report;
  }

  @Test
  void cellsOfRegionsThatNobodyNamesGoWhereTheirRowsAre() throws IOException {
    MemoryStorage damaged;
    try (Database database = DatabaseEngine.open(disk, options())) {
      database.createTable(TableDescriptor.of("t", "f"));
      put(database, "t", "a");
      put(database, "t", "m");
      database.flush();
      database.splitRegion("t", "k".getBytes(US_ASCII));
      put(database, "t", "b");
      put(database, "t", "n");
      damaged = killedWithoutManifest();
    }
    RepairReport report = repair(damaged);
    assertThat(report.notes()).anyMatch(note -> note.startsWith("2 cells of the log"));
    try (Database database = DatabaseEngine.open(damaged, options())) {
      for (String row : new String[] {"a", "b", "m", "n"}) {
        assertThat(has(database, "t", row)).as(row).isTrue();
      }
      put(database, "t", "z");
      database.majorCompact("t");
      assertThat(has(database, "t", "n")).isTrue();
    }
  }

  @Test
  void noCellOutlivesItsMarker() throws IOException {
    MemoryStorage damaged;
    try (Database database = DatabaseEngine.open(disk, options())) {
      database.createTable(TableDescriptor.of("other", "f"));
      // Keeps the log.
      put(database, "other", "x");
      database.createTable(TableDescriptor.of("t", "f"));
      put(database, "t", "a");
      put(database, "t", "b");
      put(database, "t", "m");
      database.splitRegion("t", "k".getBytes(US_ASCII));
      database.table("t").delete(new Delete("a".getBytes(US_ASCII)));
      put(database, "t", "c");
      put(database, "t", "n");
      database.flush("t");
      database.majorCompact("t");
      assertThat(has(database, "t", "a")).isFalse();
      damaged = killedWithoutManifest();
    }
    repair(damaged);
    try (Database database = DatabaseEngine.open(damaged, options())) {
      assertThat(has(database, "t", "a")).isFalse();
      for (String row : new String[] {"b", "c", "m", "n"}) {
        assertThat(has(database, "t", row)).as(row).isTrue();
      }
      database.majorCompact("t");
      assertThat(has(database, "t", "a")).isFalse();
    }
  }

  /** A region that closes a gap has another number than all that the log names. */
  @Test
  void aRegionThatClosesAGapTakesNoCellsOfALostOne() throws IOException {
    MemoryStorage damaged;
    try (Database database = DatabaseEngine.open(disk, options())) {
      byte[][] splits = {"m".getBytes(US_ASCII)};
      database.createTable(TableDescriptor.of("t", "f"), splits);
      put(database, "t", "a");
      database.flush();
      // The number of the first new region is that behind the file's.
      database.splitRegion("t", "c".getBytes(US_ASCII));
      put(database, "t", "b");
      damaged = killedWithoutManifest();
    }
    repair(damaged);
    try (Database database = DatabaseEngine.open(damaged, options())) {
      assertThat(has(database, "t", "a")).isTrue();
      assertThat(has(database, "t", "b")).isTrue();
    }
  }

  @Test
  void whatARangeTombstoneDeletesDoesNotComeBackFromMemory() throws IOException {
    MemoryStorage damaged;
    try (Database database = DatabaseEngine.open(disk, options())) {
      database.createTable(TableDescriptor.of("other", "f"));
      // Keeps the log.
      put(database, "other", "x");
      database.createTable(TableDescriptor.of("t", "f"));
      put(database, "t", "a");
      put(database, "t", "m");
      database.splitRegion("t", "k".getBytes(US_ASCII));
      database.table("t").deleteRange("a".getBytes(US_ASCII), "b".getBytes(US_ASCII));
      damaged = killedWithoutManifest();
    }
    repair(damaged);
    try (Database database = DatabaseEngine.open(damaged, options())) {
      assertThat(has(database, "t", "a")).isFalse();
      database.majorCompact("t");
      assertThat(has(database, "t", "a")).isFalse();
      assertThat(has(database, "t", "m")).isTrue();
      put(database, "t", "z");
      damaged = damaged.copy();
    }
    try (Database database = DatabaseEngine.open(damaged, options())) {
      assertThat(has(database, "t", "z")).as("a write behind the repair").isTrue();
    }
  }

  @Test
  void cellsOfAFamilyThatNobodyNamesAreReportedAndTheLogIsKept() throws IOException {
    MemoryStorage damaged;
    try (Database database = DatabaseEngine.open(disk, options())) {
      database.createTable(TableDescriptor.of("t", "f"));
      put(database, "t", "a");
      database.flush();
      database.createTable(TableDescriptor.of("new", "f"));
      put(database, "new", "a");
      damaged = killedWithoutManifest();
    }
    RepairReport report = repair(damaged);
    assertThat(report.lost())
        .anyMatch(
            p -> p.message().startsWith("1 cells of families") && p.message().contains("lost"));
    assertThat(damaged.list("lost")).anyMatch(name -> name.endsWith(".log"));
  }
}
