// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.cli.hfile.DamagedHFileException;
import io.accordiondb.cli.hfile.HFileForm;
import io.accordiondb.cli.hfile.HFileImport;
import io.accordiondb.cli.hfile.HFileImport.Kind;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is exported is what a cluster shows after its bulk load; its snapshots come back. */
@Tag("slow")
class ClusterTransferTest {
  private static final long SEED = 3;
  private static final int CELLS = 8000;
  private static final byte[] KEPT = Bytes.toBytes(Stores.KEPT);
  private static final byte[] PLAIN = Bytes.toBytes(Stores.PLAIN);

  /** Generous: a slow machine is no failure. */
  private static final int WAIT_MILLIS = 180_000;

  private static final HBaseTestingUtility CLUSTER = new HBaseTestingUtility();

  @TempDir Path folder;

  private final HBaseTransfer transfer = new HBaseTransfer();

  @BeforeAll
  static void start() throws Exception {
    Configuration configuration = CLUSTER.getConfiguration();
    configuration.setInt("hbase.regionserver.msginterval", 100);
    configuration.setInt("hbase.client.pause", 50);
    configuration.setInt("hbase.master.start.timeout.localHBaseCluster", WAIT_MILLIS);
    configuration.setInt("hbase.master.init.timeout.localHBaseCluster", WAIT_MILLIS);
    configuration.setLong("hbase.hregion.majorcompaction", 0);
    // So that the files of a region that was split stay shared for a while.
    configuration.setInt("hbase.hstore.compaction.min", 10);
    configuration.setBoolean("hbase.regionserver.compaction.enabled", false);
    // Without HDFS: files are where they are by default, on the local disk.
    CLUSTER.startMiniZKCluster();
    CLUSTER.startMiniHBaseCluster();
  }

  @AfterAll
  static void stop() throws Exception {
    CLUSTER.shutdownMiniCluster();
  }

  /** Creates the table of {@link Stores} in the cluster. */
  private static Table create(TableName name, byte[]... splits) throws IOException {
    CLUSTER
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(KEPT)
                        .setMaxVersions(1000)
                        .setKeepDeletedCells(org.apache.hadoop.hbase.KeepDeletedCells.TRUE)
                        .build())
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(PLAIN)
                        .setMaxVersions(3)
                        .setBlocksize(8192)
                        .build())
                .build(),
            splits.length == 0 ? null : splits);
    return CLUSTER.getConnection().getTable(name);
  }

  private static List<io.accordiondb.Cell> cells(Table table, Scan scan) throws IOException {
    List<io.accordiondb.Cell> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan.readAllVersions())) {
      for (Result result : scanner) {
        result.listCells().forEach(cell -> cells.add(DatabaseCells.of(cell)));
      }
    }
    return cells;
  }

  /** Returns cells without tags, which servers do not send to clients. */
  private static List<io.accordiondb.Cell> withoutTags(List<io.accordiondb.Cell> cells) {
    return cells.stream()
        .map(
            cell ->
                new io.accordiondb.Cell(
                    cell.row(),
                    cell.family(),
                    cell.qualifier(),
                    cell.timestamp(),
                    cell.type(),
                    cell.value()))
        .toList();
  }

  @Test
  void aClusterShowsWhatWasExportedAfterItsBulkLoad() throws IOException {
    Path hfiles = folder.resolve("hfiles");
    TableName name = TableName.valueOf("loaded");
    byte[] split = Bytes.toBytes("row3");
    try (Database database = Stores.create(folder.resolve("db"), SEED, CELLS);
        Table table = create(name, split)) {
      transfer.exportTable(Stores.export(database, hfiles, List.of(split), HFileForm.DEFAULT));
      Map<?, ?> loaded =
          BulkLoadHFiles.create(CLUSTER.getConfiguration()).bulkLoad(name, LocalFiles.path(hfiles));
      // Two regions of two families, none split on the way.
      assertThat(loaded).hasSize(4);
      assertThat(cells(table, new Scan()))
          .isEqualTo(withoutTags(Stores.visible(database)))
          .hasSizeGreaterThan(CELLS / 10);
      assertThat(cells(table, new Scan().setRaw(true).addFamily(KEPT)))
          .isEqualTo(withoutTags(Stores.raw(database, Stores.KEPT)));
    }
  }

  /** Writes several files, then splits the region, so that its halves share them. */
  private static void fill(Table table, Admin admin) throws Exception {
    Random random = new Random(SEED);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < CELLS; i++) {
      byte[] row = Bytes.toBytes("row" + random.nextInt(2000));
      byte[] family = random.nextBoolean() ? KEPT : PLAIN;
      byte[] qualifier = Bytes.toBytes("q" + random.nextInt(3));
      // Timestamps tie: of equal ones the later put wins.
      long timestamp = 1000 + random.nextInt(50);
      if (i % 10 == 0) {
        table.put(puts);
        puts.clear();
        Delete delete = new Delete(row);
        table.delete(
            i % 20 == 0
                ? delete.addColumns(family, qualifier, timestamp)
                : delete.addFamily(family, timestamp - 30));
      }
      Put put = new Put(row).addColumn(family, qualifier, timestamp, Bytes.toBytes(i));
      if (i % 7 == 0 && family == PLAIN) {
        put.setTTL(Long.MAX_VALUE / 4);
      }
      puts.add(put);
      if (i % (CELLS / 4) == 0) {
        admin.flush(table.getName());
      }
    }
    table.put(puts);
    admin.flush(table.getName());
  }

  private Path exportedSnapshot(String snapshot) throws Exception {
    Path root = folder.resolve("exported");
    Configuration configuration = new Configuration(CLUSTER.getConfiguration());
    configuration.set("mapreduce.framework.name", "local");
    configuration.set("mapreduce.cluster.local.dir", folder.resolve("jobs").toString());
    configuration.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    int code =
        ToolRunner.run(
            configuration,
            new ExportSnapshot(),
            new String[] {
              "--snapshot",
              snapshot,
              "--copy-to",
              root.toUri().toString(),
              "--mappers",
              "1",
              // HDFS and the local disk have different ones.
              "--no-checksum-verify"
            });
    assertThat(code).isZero();
    return root;
  }

  @Test
  void aSnapshotOfAClusterComesBack() throws Exception {
    TableName name = TableName.valueOf("live");
    Admin admin = CLUSTER.getAdmin();
    List<io.accordiondb.Cell> expected;
    List<io.accordiondb.Cell> raw;
    try (Table table = create(name, Bytes.toBytes("row5"))) {
      fill(table, admin);
      admin.split(name, Bytes.toBytes("row15"));
      CLUSTER.waitFor(WAIT_MILLIS, () -> admin.getRegions(name).size() == 3);
      expected = cells(table, new Scan());
      raw = cells(table, new Scan().setRaw(true).addFamily(KEPT));
      admin.snapshot("friday", name);
    }
    Path root = exportedSnapshot("friday");
    Path copy = folder.resolve("copy");
    HFileImport request = Stores.imported(Kind.SNAPSHOT, root, copy, HFileImport.Choice.CREATE);
    Map<String, Object> result = transfer.importTable(request).map();
    assertThat(Stores.number(result, "cells")).isGreaterThanOrEqualTo(expected.size());
    try (Database database = Database.open(copy)) {
      assertThat(database.regionStarts(Stores.TABLE))
          .containsExactly(new byte[0], Bytes.toBytes("row15"), Bytes.toBytes("row5"));
      assertThat(database.describe(Stores.TABLE).family(Stores.KEPT).versionRules())
          .isEqualTo(new VersionRules(1000, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE));
      assertThat(database.describe(Stores.TABLE).family(Stores.PLAIN).blockSizeBytes())
          .isEqualTo(8192);
      assertThat(withoutTags(Stores.visible(database)))
          .isEqualTo(expected)
          .hasSizeGreaterThan(CELLS / 10);
      assertThat(Stores.visible(database)).anyMatch(cell -> cell.ttlMillis() == Long.MAX_VALUE / 4);
      assertThat(Stores.raw(database, Stores.KEPT)).isEqualTo(raw);
    }
    assertRefusesALackingFile(root);
  }

  private void assertRefusesALackingFile(Path root) throws IOException {
    Path lacking;
    try (Stream<Path> files = Files.walk(root.resolve("archive"))) {
      lacking = files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    Files.delete(lacking);
    Path copy = folder.resolve("second");
    assertThatThrownBy(
            () ->
                transfer.importTable(
                    Stores.imported(Kind.SNAPSHOT, root, copy, HFileImport.Choice.CREATE)))
        .isInstanceOf(DamagedHFileException.class)
        .hasMessageContaining("lacks the HFile " + lacking.getFileName());
    assertThat(copy).doesNotExist();
  }
}
