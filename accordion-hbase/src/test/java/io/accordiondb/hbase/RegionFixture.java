// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.mockito.Mockito;

/** Regions without a server, which are closed after each test. */
abstract class RegionFixture {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final int WIDE_ROW_CELLS = 3000;
  static final HBaseTestingUtility FILES = new HBaseTestingUtility();

  /** S, as its default is. */
  private static final int SEGMENTS_MAX = 5;

  private final List<HRegion> opened = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    EnvironmentEdgeManager.reset();
    for (HRegion region : opened) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
    opened.clear();
  }

  @AfterAll
  static void delete() {
    FILES.cleanupTestDir();
  }

  static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY);
  }

  static TableDescriptorBuilder table(String name, ColumnFamilyDescriptorBuilder family) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(family.build());
  }

  /** Makes a table's segments small and has them compacted all the time. */
  static TableDescriptorBuilder withOurs(TableDescriptorBuilder table) {
    return table
        .setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName())
        .setValue(StoreSettings.POLICY_KEY, "EAGER")
        .setValue(StoreSettings.ACTIVE_FRACTION_KEY, "0.00002");
  }

  final HRegion open(TableDescriptorBuilder table) throws IOException {
    Path folder = FILES.getDataTestDir("region-" + opened.size() + "-" + System.nanoTime());
    HRegion region =
        HBaseTestingUtility.createRegionAndWAL(
            RegionInfoBuilder.newBuilder(table.build().getTableName()).build(),
            folder,
            FILES.getConfiguration(),
            table.build());
    opened.add(region);
    return region;
  }

  final HRegion open(TableDescriptorBuilder table, Class<? extends RegionCoprocessor> coprocessor)
      throws IOException {
    HRegion region = open(table.setCoprocessor(coprocessor.getName()));
    region.setCoprocessorHost(
        new RegionCoprocessorHost(
            region, Mockito.mock(RegionServerServices.class), FILES.getConfiguration()));
    return region;
  }

  /** Opens a region with a log that can be made to fail. */
  final HRegion open(TableDescriptorBuilder table, AtomicReference<CrashingLog> log)
      throws IOException {
    Path folder = FILES.getDataTestDir("region-" + opened.size() + "-" + System.nanoTime());
    RegionInfo info = RegionInfoBuilder.newBuilder(table.build().getTableName()).build();
    log.set(new CrashingLog(HBaseTestingUtility.createWal(FILES.getConfiguration(), folder, info)));
    HRegion region =
        HRegion.createHRegion(
            info, folder, FILES.getConfiguration(), table.build(), log.get().recording());
    opened.add(region);
    return region;
  }

  static HStore storeOf(HRegion region) {
    return region.getStore(FAMILY);
  }

  static ArenaMemStore memStoreOf(HRegion region) {
    return (ArenaMemStore) ((AccordionMemStore) MemStoreOf.store(storeOf(region))).delegate();
  }

  static Put put(int row, long timestamp, String value) {
    return new Put(Bytes.toBytes("row" + row))
        .addColumn(FAMILY, Bytes.toBytes("q"), timestamp, Bytes.toBytes(value));
  }

  /** Returns a row that has expired, of so many cells that they are a segment of their own. */
  static Put expired(int row) {
    Put put = new Put(Bytes.toBytes("row" + row));
    for (int i = 0; i < WIDE_ROW_CELLS; i++) {
      put.addColumn(FAMILY, Bytes.toBytes("q" + i), 1, Bytes.toBytes("value"));
    }
    return put;
  }

  /** Returns a cell that cannot be added, and is not added together with others. */
  static KeyValue brokenCell() {
    KeyValue cell =
        new KeyValue(FAMILY, FAMILY, FAMILY, 1, FAMILY) {
          @Override
          public byte[] getBuffer() {
            throw new OutOfMemoryError("planned");
          }
        };
    cell.setSequenceId(Long.MAX_VALUE - 1);
    return cell;
  }

  static List<String> read(Region region, Scan scan) throws IOException {
    try (RegionScanner scanner = region.getScanner(scan)) {
      return read(scanner);
    }
  }

  /** Reads what a scanner has left. */
  static List<String> read(RegionScanner scanner) throws IOException {
    List<String> found = new ArrayList<>();
    List<Cell> row = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = scanner.next(row);
      for (Cell cell : row) {
        found.add(
            Bytes.toString(CellUtil.cloneRow(cell))
                + ":"
                + Bytes.toString(CellUtil.cloneQualifier(cell))
                + "@"
                + cell.getTimestamp()
                + "="
                + Bytes.toString(CellUtil.cloneValue(cell)));
      }
      row.clear();
    }
    return found;
  }

  static void overwrite(HRegion region) throws IOException {
    for (int i = 0; i < 2000; i++) {
      region.put(put(i % 10, i, "value" + i));
    }
  }

  /** Has sizes and log brought up to date. */
  static void settle(ArenaMemStore memStore) {
    memStore.settle();
    awaitReports();
  }

  /** Waits until logs have been told all that is due. */
  static void awaitReports() {
    CountDownLatch reported = new CountDownLatch(1);
    ServerMemory.of(FILES.getConfiguration()).logExecutor().execute(reported::countDown);
    await("what the log is told", reported::getCount, count -> count == 0);
  }

  static long earliestInLog(HRegion region) {
    byte[] name = region.getRegionInfo().getEncodedNameAsBytes();
    return region.getWAL().getEarliestMemStoreSeqNum(name, FAMILY);
  }

  /** Waits until what has been sealed is merged or compacted, by the real clock. */
  static void settle(HRegion region) throws InterruptedException {
    await(
        "merges in memory",
        () -> memStoreOf(region).figures().segments(),
        segments -> segments <= SEGMENTS_MAX);
  }
}
