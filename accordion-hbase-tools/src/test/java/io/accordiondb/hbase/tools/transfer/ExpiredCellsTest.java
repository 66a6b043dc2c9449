// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Get;
import io.accordiondb.Put;
import io.accordiondb.cli.hfile.HFileImport;
import io.accordiondb.cli.hfile.HFileImport.Choice;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a put with a time to live hides stays hidden, there and back. */
@Tag("slow")
class ExpiredCellsTest {
  private static final byte[] PLAIN = Stores.bytes(Stores.PLAIN);
  private static final byte[] Q = Stores.bytes("q");

  @TempDir Path folder;

  private final HBaseTransfer transfer = new HBaseTransfer();
  private final AtomicLong nowMillis = new AtomicLong(System.currentTimeMillis());

  private Path db() {
    return folder.resolve("db");
  }

  private Path copy() {
    return folder.resolve("copy");
  }

  private Path hfiles() {
    return folder.resolve("hfiles");
  }

  private Database open(Path path) throws IOException {
    return Database.open(
        path, DatabaseOptions.builder().clock(() -> Instant.ofEpochMilli(nowMillis.get())).build());
  }

  private static Put put(String row, long timestamp, String value) {
    return new Put(Stores.bytes(row)).addColumn(PLAIN, Q, timestamp, Stores.bytes(value));
  }

  private static Put put(String row, long timestamp, String value, long ttlMillis) {
    return new Put(Stores.bytes(row))
        .setTtlMillis(ttlMillis)
        .addColumn(PLAIN, Q, timestamp, Stores.bytes(value));
  }

  private Map<String, Object> export(Put... puts) throws IOException {
    try (Database database = open(db())) {
      database.createTable(Stores.table());
      for (Put put : puts) {
        database.table(Stores.TABLE).put(put);
      }
      return transfer.exportTable(Stores.export(database, hfiles())).map();
    }
  }

  private void importCopy() throws IOException {
    transfer.importTable(
        new HFileImport(
            Kind.HFILE,
            hfiles(),
            null,
            Stores.TABLE,
            Set.of(Choice.CREATE),
            copy(),
            create -> open(copy()),
            new PrintWriter(Writer.nullWriter())));
  }

  private List<String> values(Path path, String row) throws IOException {
    try (Database database = open(path)) {
      return database
          .table(Stores.TABLE)
          .get(new Get(Stores.bytes(row)).setAllVersions())
          .cells()
          .stream()
          .map(cell -> Bytes.toString(cell.value()))
          .toList();
    }
  }

  /** Loads the exported files into a region of HBase, and returns the values of its rows. */
  private List<String> valuesInHBase(String... rows) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    conf.setBoolean("hbase.regionserver.hlog.enabled", false);
    conf.set(HConstants.HBASE_DIR, folder.resolve("hbase").toUri().toString());
    conf.set("fs.defaultFS", "file:///");
    RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf(Stores.TABLE)).build();
    WALFactory logs = new WALFactory(conf, "region");
    HRegion region =
        HRegion.createHRegion(
            info,
            new org.apache.hadoop.fs.Path(folder.resolve("hbase").toUri()),
            conf,
            TableDescriptorBuilder.newBuilder(info.getTable())
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(PLAIN).setMaxVersions(3).build())
                .build(),
            logs.getWAL(info));
    try {
      List<Pair<byte[], String>> files = new ArrayList<>();
      try (Stream<Path> found = Files.list(hfiles().resolve(Stores.PLAIN))) {
        found.forEach(file -> files.add(Pair.newPair(PLAIN, file.toUri().toString())));
      }
      region.bulkLoadHFiles(files, true, null);
      List<String> values = new ArrayList<>();
      for (String row : rows) {
        for (org.apache.hadoop.hbase.Cell cell :
            region
                .get(new org.apache.hadoop.hbase.client.Get(Bytes.toBytes(row)).readVersions(3))
                .rawCells()) {
          values.add(row + " " + Bytes.toString(CellUtil.cloneValue(cell)));
        }
      }
      return values;
    } finally {
      region.close();
      logs.close();
    }
  }

  @Test
  void hbaseDoesNotShowWhatAnExpiredPutHides() throws IOException {
    long now = nowMillis.get();
    Map<String, Object> written =
        export(
            put("hidden", now - 10_000, "old"),
            put("hidden", now - 5000, "new", 1000),
            put("other", now - 10_000, "kept"),
            put("rewritten", now - 5000, "new", 1000),
            put("rewritten", now - 10_000, "later"));
    assertThat(written).containsEntry("rowsWithoutMarkers", 0L);
    assertThat(valuesInHBase("hidden", "other", "rewritten"))
        .containsExactly("other kept", "rewritten later");
    assertThat(values(db(), "hidden")).isEmpty();
    assertThat(values(db(), "rewritten")).containsExactly("later");
    importCopy();
    assertThat(values(copy(), "hidden")).isEmpty();
    assertThat(values(copy(), "rewritten")).containsExactly("later");
  }

  @Test
  void aRegionWithoutVisibleCellsHasNoFile() throws IOException {
    long now = nowMillis.get();
    Map<String, Object> written =
        export(put("r", now - 10_000, "old"), put("r", now - 5000, "new", 1000));
    assertThat(written).containsEntry("files", 0L).containsEntry("cells", 0L);
    assertThat(hfiles().resolve(Stores.PLAIN)).isEmptyDirectory();
  }

  @Test
  void versionsThatThreeNewerOnesHideDoNotComeToHBase() throws IOException {
    long now = nowMillis.get();
    export(
        put("r", now - 4, "hidden"),
        put("r", now - 3, "1"),
        put("r", now - 2, "2"),
        put("r", now - 1, "3", 3_600_000));
    assertThat(transferredCells()).isEqualTo(3);
    assertThat(valuesInHBase("r")).containsExactly("r 3", "r 2", "r 1");
  }

  private long transferredCells() throws IOException {
    return Stores.number(
        transfer.importTable(Stores.imported(Kind.HFILE, hfiles(), copy(), Choice.CREATE)).map(),
        "cells");
  }

  @Test
  void whatIsImportedHidesOlderVersionsWhenItExpires() throws IOException {
    long now = nowMillis.get();
    export(put("r", now - 20, "old"), put("r", now - 10, "new", 3_600_000));
    importCopy();
    assertThat(values(copy(), "r")).containsExactly("new", "old");
    nowMillis.addAndGet(7_200_000);
    assertThat(values(db(), "r")).isEmpty();
    assertThat(values(copy(), "r")).isEmpty();
  }

  @Test
  void filesOfHBasesOwnKeepItsMeaning() throws IOException {
    long now = nowMillis.get();
    export(put("r", now - 20, "old"), put("r", now - 10, "new", 3_600_000));
    Files.delete(hfiles().resolve("_table.json"));
    importCopy();
    nowMillis.addAndGet(7_200_000);
    assertThat(values(copy(), "r")).containsExactly("old");
  }
}
