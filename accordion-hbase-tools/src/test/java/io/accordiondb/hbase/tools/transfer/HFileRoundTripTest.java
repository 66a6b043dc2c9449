// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Delete;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.cli.hfile.HFileForm;
import io.accordiondb.cli.hfile.HFileImport.Choice;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is exported is what HBase's own reader finds and what an import brings back. */
@Tag("slow")
class HFileRoundTripTest {
  private static final long SEED = 20_250_207;
  private static final int CELLS = 100_000;
  private static final long LONG_CELLS = 10_000_000;

  @TempDir Path folder;

  private final HBaseTransfer transfer = new HBaseTransfer();

  private Path db() {
    return folder.resolve("db");
  }

  private Path copy() {
    return folder.resolve("copy");
  }

  private Path hfiles() {
    return folder.resolve("hfiles");
  }

  @Test
  void bringsBackVersionsMarkersTimestampsAndTimesToLive() throws IOException {
    List<Cell> raw;
    List<Cell> visible;
    try (Database database = Stores.create(db(), SEED, CELLS)) {
      raw = Stores.raw(database, Stores.KEPT);
      visible = Stores.visible(database);
      Map<String, Object> written = transfer.exportTable(Stores.export(database, hfiles())).map();
      assertThat(written).containsEntry("regions", 4).containsEntry("rowsWithoutMarkers", 0L);
      assertThat(Stores.number(written, "cells")).isGreaterThanOrEqualTo(raw.size());
      assertHBaseReads(database, List.of("row2", "row5", "row8\\xFF"));
    }
    assertThat(raw).hasSizeGreaterThan(CELLS / 2);
    assertThat(visible).anyMatch(cell -> cell.ttlMillis() != VersionRules.FOREVER);
    transfer.importTable(Stores.imported(Kind.HFILE, hfiles(), copy(), Choice.CREATE));
    try (Database database = Database.open(copy())) {
      assertThat(database.describe(Stores.TABLE)).isEqualTo(Stores.table());
      assertThat(database.regionStarts(Stores.TABLE)).hasSize(4);
      assertThat(Stores.raw(database, Stores.KEPT)).isEqualTo(raw);
      assertThat(Stores.visible(database)).isEqualTo(visible);
      database.majorCompact(Stores.TABLE);
      assertThat(Stores.visible(database)).isEqualTo(visible);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactlyInAnyOrder(db(), copy(), hfiles());
    }
  }

  /** Reads all files with HBase's own reader, and compares them with the raw cells. */
  private void assertHBaseReads(Database database, List<String> splits) throws IOException {
    List<Cell> raw = Stores.raw(database, Stores.KEPT);
    List<Cell> read = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> entries = Files.list(hfiles().resolve(Stores.KEPT))) {
      files = entries.sorted().toList();
    }
    LocalFiles disk = LocalFiles.open();
    for (Path file : files) {
      try (HFile.Reader reader =
          HFile.createReader(disk.files(), LocalFiles.path(file), disk.configuration())) {
        assertThat(reader.getHFileInfo())
            .containsKeys(HStoreFile.BULKLOAD_TIME_KEY, HStoreFile.TIMERANGE_KEY)
            .doesNotContainKey(HStoreFile.MAX_SEQ_ID_KEY);
        byte[] first = reader.getFirstRowKey().orElseThrow();
        byte[] last = reader.getLastRowKey().orElseThrow();
        for (String split : splits) {
          byte[] row = Bytes.toBytesBinary(split);
          assertThat(
                  Arrays.compareUnsigned(first, row) >= 0 || Arrays.compareUnsigned(last, row) < 0)
              .as(file + " crosses " + split)
              .isTrue();
        }
        HFileScanner scanner = reader.getScanner(disk.configuration(), false, false, false);
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          read.add(DatabaseCells.of(scanner.getCell()));
        }
      }
    }
    assertThat(files).hasSize(4);
    assertThat(read).isEqualTo(raw);
  }

  @ParameterizedTest
  @CsvSource({"NONE, NONE", "GZ, FAST_DIFF", "NONE, PREFIX", "NONE, DIFF", "GZ, ROW_INDEX_V1"})
  void bringsBackEachFormOfFile(String compression, String encoding) throws IOException {
    try (Database database = Stores.create(db(), SEED, 3000)) {
      HFileForm form = new HFileForm(compression, encoding, 1024, 20_000);
      Map<String, Object> written =
          transfer
              .exportTable(Stores.export(database, hfiles(), List.of(Stores.bytes("row4")), form))
              .map();
      assertThat(Stores.number(written, "files")).isGreaterThan(4);
      transfer.importTable(Stores.imported(Kind.HFILE, hfiles(), copy(), Choice.CREATE));
      try (Database other = Database.open(copy())) {
        assertThat(Stores.raw(other, Stores.KEPT)).isEqualTo(Stores.raw(database, Stores.KEPT));
        assertThat(Stores.visible(other)).isEqualTo(Stores.visible(database));
      }
    }
  }

  @Test
  void leavesOutMarkersThatWouldHideInHBaseWhatTheDatabaseShows() throws IOException {
    byte[] row = Stores.bytes("row");
    byte[] kept = Stores.bytes(Stores.KEPT);
    byte[] q = Stores.bytes("q");
    try (Database database = Database.open(db())) {
      database.createTable(Stores.table());
      database.table(Stores.TABLE).put(new Put(row).addColumn(kept, q, 50, Stores.bytes("old")));
      database.table(Stores.TABLE).delete(new Delete(row).addColumns(kept, q, 100));
      database.table(Stores.TABLE).put(new Put(row).addColumn(kept, q, 70, Stores.bytes("new")));
      Map<String, Object> written = transfer.exportTable(Stores.export(database, hfiles())).map();
      assertThat(written).containsEntry("rowsWithoutMarkers", 1L).containsEntry("cells", 1L);
      transfer.importTable(Stores.imported(Kind.HFILE, hfiles(), copy(), Choice.CREATE));
      try (Database other = Database.open(copy())) {
        assertThat(Stores.visible(other)).isEqualTo(Stores.visible(database)).hasSize(1);
      }
    }
  }

  @Test
  @Tag("long")
  void bringsBackTenMillionCells() throws IOException {
    long written;
    try (Database database = Stores.create(db(), SEED, LONG_CELLS)) {
      written =
          Stores.number(transfer.exportTable(Stores.export(database, hfiles())).map(), "cells");
    }
    Map<String, Object> read =
        transfer.importTable(Stores.imported(Kind.HFILE, hfiles(), copy(), Choice.CREATE)).map();
    assertThat(Stores.number(read, "cells")).isEqualTo(written).isGreaterThan(LONG_CELLS / 2);
    try (Database database = Database.open(db());
        Database other = Database.open(copy())) {
      Scan raw = new Scan().setAllVersions().setRaw(true).addFamily(Stores.bytes(Stores.KEPT));
      assertSame(database, other, raw);
      assertSame(database, other, new Scan().setAllVersions());
    }
  }

  private static void assertSame(Database database, Database other, Scan scan) throws IOException {
    try (ResultScanner expected = database.table(Stores.TABLE).scan(scan);
        ResultScanner found = other.table(Stores.TABLE).scan(scan)) {
      for (Result row = expected.next(); row != null; row = expected.next()) {
        Result same = found.next();
        assertThat(same == null ? Collections.emptyList() : same.cells()).isEqualTo(row.cells());
      }
      assertThat(found.next()).isNull();
    }
  }
}
