// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A table's life on a real cluster: HDFS, ZooKeeper, a master and two region servers. */
class MiniClusterTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  /** Generous: a slow machine is no failure. */
  private static final int WAIT_MILLIS = 180_000;

  private static final HBaseTestingUtility CLUSTER = new HBaseTestingUtility();

  private final TreeMap<String, String> model = new TreeMap<>();

  @BeforeAll
  static void start() throws Exception {
    Configuration configuration = CLUSTER.getConfiguration();
    configuration.setInt("hbase.regionserver.msginterval", 100);
    configuration.setInt("hbase.client.pause", 50);
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 60);
    CLUSTER.startMiniCluster(
        StartMiniClusterOption.builder().numMasters(1).numRegionServers(2).build());
  }

  @AfterAll
  static void stop() throws Exception {
    CLUSTER.shutdownMiniCluster();
  }

  private static TableDescriptor descriptor(TableName name, String... settings) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    for (int i = 0; i < settings.length; i += 2) {
      table.setValue(settings[i], settings[i + 1]);
    }
    return table.build();
  }

  /** Returns the table's regions on servers that live. */
  private static List<HRegion> regions(TableName name) {
    List<HRegion> regions = new ArrayList<>();
    for (JVMClusterUtil.RegionServerThread server :
        CLUSTER.getMiniHBaseCluster().getLiveRegionServerThreads()) {
      regions.addAll(
          server.getRegionServer().getRegions(name).stream().map(HRegion.class::cast).toList());
    }
    return regions;
  }

  private static void assertUses(TableName name, boolean ours) throws IOException {
    List<HRegion> regions = regions(name);
    assertThat(regions).isNotEmpty();
    for (HRegion region : regions) {
      for (HStore store : region.getStores()) {
        assertThat(MemStoreOf.store(store) instanceof AccordionMemStore)
            .as(region + " " + region.getTableDescriptor())
            .isEqualTo(ours);
      }
    }
  }

  @Test
  void aTablesLife() throws Exception {
    TableName name = TableName.valueOf("life");
    createWithTinySegments(name);
    try (Table table = CLUSTER.getConnection().getTable(name);
        Admin admin = CLUSTER.getConnection().getAdmin()) {
      put(table, 0, 500, "a");
      put(table, 100, 200, "b");
      delete(table, 50, 80);
      for (int i = 0; i < 20; i++) {
        table.increment(new Increment(row(900)).addColumn(FAMILY, QUALIFIER, 1));
      }
      assertSame(table);
      assertThat(counter(table)).isEqualTo(20);

      admin.flush(name);
      put(table, 150, 250, "c");
      delete(table, 300, 310);
      assertSame(table);
      assertThat(OpenStores.figuresByTable().get("life").inMemoryFlushes()).isPositive();
      CLUSTER.waitFor(WAIT_MILLIS, () -> attribute("table_life_inMemoryFlushes") > 0);

      admin.split(name, row(250));
      CLUSTER.waitFor(WAIT_MILLIS, () -> regions(name).size() == 2);
      CLUSTER.waitTableAvailable(name, WAIT_MILLIS);
      put(table, 240, 260, "d");
      assertSame(table);
      assertUses(name, true);

      CLUSTER.compact(name, true);
      assertSame(table);

      load(name, 600, 620);
      assertSame(table);
      put(table, 610, 615, "after the load");
      assertSame(table);

      put(table, 0, 100, "e");
      delete(table, 400, 450);
      table.increment(new Increment(row(900)).addColumn(FAMILY, QUALIFIER, 5));
      kill(name);
      CLUSTER.waitTableAvailable(name, WAIT_MILLIS);
      assertSame(table);
      assertThat(counter(table)).isEqualTo(25);
      admin.flush(name);
      assertSame(table);
      for (HRegion region : regions(name)) {
        assertThat(region.getMemStoreDataSize()).isZero();
      }
    }
  }

  /** Creates a table whose memory stores flush in memory after a few cells. */
  private static void createWithTinySegments(TableName name) throws Exception {
    CLUSTER
        .getAdmin()
        .createTable(
            descriptor(
                name,
                HStore.MEMSTORE_CLASS_NAME,
                AccordionMemStore.class.getName(),
                StoreSettings.ACTIVE_FRACTION_KEY,
                "0.0001"));
    assertUses(name, true);
  }

  private static long counter(Table table) throws IOException {
    return Bytes.toLong(table.get(new Get(row(900))).getValue(FAMILY, QUALIFIER));
  }

  /**
   * Returns a metric, 0 while Hadoop does not show it: it refreshes a bean's attributes every 10 s,
   * and HBase takes all beans away for an instant when a region has closed.
   */
  private static long attribute(String name) throws Exception {
    ObjectName bean =
        new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=AccordionMemStore");
    try {
      Object value = ManagementFactory.getPlatformMBeanServer().getAttribute(bean, name);
      return value == null ? 0 : ((Number) value).longValue();
    } catch (InstanceNotFoundException | AttributeNotFoundException e) {
      return 0;
    }
  }

  /** Loads rows from a file that was made beside the cluster. */
  private void load(TableName name, int from, int to) throws Exception {
    Path folder = CLUSTER.getDataTestDirOnTestFS("load");
    HFileContext context = new HFileContextBuilder().withIncludesTags(false).build();
    StoreFileWriter writer =
        new StoreFileWriter.Builder(
                CLUSTER.getConfiguration(),
                new CacheConfig(CLUSTER.getConfiguration()),
                CLUSTER.getTestFileSystem())
            .withOutputDir(new Path(folder, Bytes.toString(FAMILY)))
            .withFileContext(context)
            .build();
    for (int i = from; i < to; i++) {
      writer.append(new KeyValue(row(i), FAMILY, QUALIFIER, 1, Bytes.toBytes("loaded" + i)));
      model.put(Bytes.toString(row(i)), "loaded" + i);
    }
    writer.close();
    assertThat(BulkLoadHFiles.create(CLUSTER.getConfiguration()).bulkLoad(name, folder))
        .isNotEmpty();
  }

  private static void kill(TableName name) throws Exception {
    int server =
        CLUSTER
            .getMiniHBaseCluster()
            .getServerWith(regions(name).get(0).getRegionInfo().getRegionName());
    CLUSTER.getMiniHBaseCluster().startRegionServerAndWait(WAIT_MILLIS);
    CLUSTER
        .getMiniHBaseCluster()
        .killRegionServer(CLUSTER.getMiniHBaseCluster().getRegionServer(server).getServerName());
    CLUSTER.waitFor(
        WAIT_MILLIS, () -> CLUSTER.getMiniHBaseCluster().getLiveRegionServerThreads().size() == 2);
  }

  @Test
  void twoRegionsWithCellsInMemoryBecomeOne() throws Exception {
    TableName name = TableName.valueOf("merged");
    Admin admin = CLUSTER.getAdmin();
    admin.createTable(
        descriptor(name, HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName()),
        new byte[][] {row(250)});
    try (Table table = CLUSTER.getConnection().getTable(name)) {
      put(table, 0, 500, "a");
      delete(table, 240, 245);
      byte[][] parts =
          admin.getRegions(name).stream().map(RegionInfo::getRegionName).toArray(byte[][]::new);
      assertThat(parts.length).isEqualTo(2);
      admin.mergeRegionsAsync(parts, false).get(120, TimeUnit.SECONDS);
      CLUSTER.waitFor(WAIT_MILLIS, () -> regions(name).size() == 1);
      CLUSTER.waitTableAvailable(name, WAIT_MILLIS);
      assertUses(name, true);
      assertSame(table);
      put(table, 200, 300, "merged");
      delete(table, 245, 250);
      assertSame(table);
      admin.flush(name);
      assertSame(table);
    }
  }

  @Test
  void aTableSwitchesToOursAndBackWithItsData() throws Exception {
    TableName name = TableName.valueOf("switched");
    Admin admin = CLUSTER.getAdmin();
    admin.createTable(descriptor(name));
    try (Table table = CLUSTER.getConnection().getTable(name)) {
      put(table, 0, 100, "a");
      assertUses(name, false);
      for (String policy : new String[] {"EAGER", "BASIC"}) {
        admin.modifyTable(
            descriptor(
                name,
                HStore.MEMSTORE_CLASS_NAME,
                AccordionMemStore.class.getName(),
                StoreSettings.POLICY_KEY,
                policy));
        assertUses(name, true);
        assertSame(table);
        put(table, 50, 150, policy);
        delete(table, 10, 20);
        assertSame(table);
      }
      admin.modifyTable(descriptor(name));
      assertUses(name, false);
      assertSame(table);
      put(table, 60, 70, "back");
      admin.flush(name);
      assertSame(table);
    }
  }

  @Test
  void aTableStaysOpenWithAWrongValue() throws Exception {
    TableName name = TableName.valueOf("wrong");
    Admin admin = CLUSTER.getAdmin();
    admin.createTable(descriptor(name));
    try (Table table = CLUSTER.getConnection().getTable(name)) {
      put(table, 0, 100, "a");
      admin.modifyTable(
          descriptor(
              name,
              HStore.MEMSTORE_CLASS_NAME,
              AccordionMemStore.class.getName(),
              StoreSettings.POLICY_KEY,
              "FASTEST"));
      assertUses(name, true);
      assertSame(table);
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row%04d", number));
  }

  private void put(Table table, int from, int to, String value) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value + i)));
      model.put(Bytes.toString(row(i)), value + i);
    }
    table.put(puts);
  }

  private void delete(Table table, int from, int to) throws IOException {
    List<Delete> deletes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      deletes.add(new Delete(row(i)));
      model.remove(Bytes.toString(row(i)));
    }
    table.delete(deletes);
  }

  /** Checks what a scan forwards, one backwards and gets see. */
  private void assertSame(Table table) throws IOException {
    assertThat(scan(table, new Scan())).isEqualTo(model);
    assertThat(scan(table, new Scan().setReversed(true))).isEqualTo(model);
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      gets.add(new Get(row(i)));
    }
    Result[] results = table.get(gets);
    for (int i = 0; i < results.length; i++) {
      assertThat(Bytes.toString(results[i].getValue(FAMILY, QUALIFIER)))
          .isEqualTo(model.get(Bytes.toString(row(i))));
    }
  }

  private static Map<String, String> scan(Table table, Scan scan) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        byte[] value = result.getValue(FAMILY, QUALIFIER);
        String row = Bytes.toString(result.getRow());
        if (!row.equals("row0900")) {
          rows.put(row, Bytes.toString(value));
        }
      }
    }
    return rows;
  }
}
