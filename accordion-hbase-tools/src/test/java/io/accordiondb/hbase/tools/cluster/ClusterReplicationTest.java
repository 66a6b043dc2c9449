// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.Await;
import io.accordiondb.hbase.AccordionMemStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster with the plug-in and one with HBase's own memory store replicate to each other. */
@Tag("hbase-cluster")
class ClusterReplicationTest {
  private static final TableName TABLE = TableName.valueOf("orders");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 3000;
  private static final int VERSIONS = 3;
  private static final Await REPLICATION = new Await(Duration.ofMinutes(3), Duration.ofMillis(500));
  private static final JvmMemory MEMORY = new JvmMemory(256, 128);

  @TempDir Path folder;

  private ClusterOptions options(String name) {
    return ClusterOptions.of(folder.resolve(name), 1).withServerMemory(MEMORY);
  }

  @Test
  void bothHaveTheSameCells() throws Exception {
    ClusterOptions plugIn =
        options("plug-in").with(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName());
    try (LocalCluster ours = LocalCluster.start(plugIn, System.out::println);
        LocalCluster theirs = LocalCluster.start(options("own"), System.out::println);
        Connection here = ConnectionFactory.createConnection(ours.configuration());
        Connection there = ConnectionFactory.createConnection(theirs.configuration())) {
      prepare(here, theirs);
      prepare(there, ours);
      write(here, "here", 0);
      write(there, "there", 0);
      awaitSameCells(here, there, 2 * ROWS);

      // What was not shipped yet must come from the log of the killed server.
      write(here, "here", ROWS);
      ClusterProcess server = ours.servers().get(0);
      ours.kill(server);
      ours.restart(server);
      write(there, "there", ROWS);
      awaitSameCells(here, there, 4 * ROWS);

      assertThat(plugInBeans(ours)).isEqualTo(1);
      assertThat(plugInBeans(theirs)).isZero();
    }
  }

  private static int plugInBeans(LocalCluster cluster) throws Exception {
    return new JmxPage(cluster.servers().get(0))
        .beans("Hadoop:service=HBase,*,sub=AccordionMemStore")
        .size();
  }

  private static void prepare(Connection connection, LocalCluster peer) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                      .setScope(HConstants.REPLICATION_SCOPE_GLOBAL)
                      .setMaxVersions(VERSIONS)
                      .build())
              .build());
      String key =
          peer.configuration().get(HConstants.ZOOKEEPER_QUORUM)
              + ":"
              + peer.configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT)
              + ":"
              + peer.configuration().get(HConstants.ZOOKEEPER_ZNODE_PARENT);
      admin.addReplicationPeer(
          "peer", ReplicationPeerConfig.newBuilder().setClusterKey(key).build());
    }
  }

  /** Writes rows in several versions, flushes in between, and deletes a column of some. */
  private static void write(Connection connection, String prefix, int firstRow) throws IOException {
    try (Table table = connection.getTable(TABLE);
        Admin admin = connection.getAdmin()) {
      for (int version = 0; version < VERSIONS; version++) {
        List<Put> puts = new ArrayList<>();
        for (int row = firstRow; row < firstRow + ROWS; row++) {
          puts.add(
              new Put(row(prefix, row))
                  .addColumn(FAMILY, Bytes.toBytes("a"), Bytes.toBytes(version))
                  .addColumn(FAMILY, Bytes.toBytes("b"), Bytes.toBytes(row)));
        }
        table.put(puts);
        if (version == 1) {
          admin.flush(TABLE);
        }
      }
      for (int row = firstRow; row < firstRow + ROWS; row += 10) {
        table.delete(new Delete(row(prefix, row)).addColumns(FAMILY, Bytes.toBytes("b")));
      }
    }
  }

  private static byte[] row(String prefix, int row) {
    return Bytes.toBytes(String.format("%s-%06d", prefix, row));
  }

  private static void awaitSameCells(Connection here, Connection there, int rows) throws Exception {
    REPLICATION.until(
        "cells that only one cluster has to disappear",
        () -> differences(cells(here), cells(there)),
        List::isEmpty);
    List<String> ours = cells(here);
    assertThat(ours).isEqualTo(cells(there));
    // Two columns with all versions; every tenth row has lost one column.
    assertThat(ours).hasSize(rows * VERSIONS * 2 - rows / 10 * VERSIONS);
    System.out.printf("%,d rows and %,d cells are the same in both%n", rows, ours.size());
  }

  /** Returns some of the cells that are in one of the lists alone. */
  private static List<String> differences(List<String> ours, List<String> theirs) {
    Set<String> all = new HashSet<>(ours);
    all.addAll(theirs);
    Set<String> both = new HashSet<>(ours);
    both.retainAll(new HashSet<>(theirs));
    all.removeAll(both);
    return all.stream().sorted().limit(20).toList();
  }

  /** Returns all versions of all cells, with their timestamps. */
  private static List<String> cells(Connection connection) throws IOException {
    List<String> cells = new ArrayList<>();
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions().setCaching(500))) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          byte[] value = CellUtil.cloneValue(cell);
          cells.add(CellUtil.getCellKeyAsString(cell) + " " + Bytes.toInt(value));
        }
      }
    }
    return cells;
  }
}
