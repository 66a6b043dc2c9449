// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.SnapshotDrop;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.HFileTestUtil;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;

/** Our memory store in a region of HBase's, without a server. */
class RegionTest {
  private static final int AGREEMENT_STEPS = 3_000;

  private static final byte[] FAMILY = Bytes.toBytes("f");

  /** S, as its default is. */
  private static final int SEGMENTS_MAX = 5;

  private static final HBaseTestingUtility FILES = new HBaseTestingUtility();

  private final List<HRegion> opened = new ArrayList<>();

  /** Has a hook by which it could see what a compaction drops. */
  public static final class Watcher implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preFlush(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Store store,
        InternalScanner scanner,
        FlushLifeCycleTracker tracker) {
      return scanner;
    }
  }

  @AfterEach
  void close() throws IOException {
    EnvironmentEdgeManager.reset();
    for (HRegion region : opened) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
  }

  @AfterAll
  static void delete() {
    FILES.cleanupTestDir();
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY);
  }

  private static TableDescriptorBuilder table(String name, ColumnFamilyDescriptorBuilder family) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(family.build());
  }

  /** Makes a table's segments small and has them compacted all the time. */
  private static TableDescriptorBuilder withOurs(TableDescriptorBuilder table) {
    return table
        .setValue(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName())
        .setValue(StoreSettings.POLICY_KEY, "EAGER")
        .setValue(StoreSettings.ACTIVE_FRACTION_KEY, "0.00002");
  }

  private HRegion open(TableDescriptorBuilder table) throws IOException {
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

  private static HStore storeOf(HRegion region) {
    return region.getStore(FAMILY);
  }

  private static ArenaMemStore memStoreOf(HRegion region) {
    return (ArenaMemStore) ((AccordionMemStore) MemStoreOf.store(storeOf(region))).delegate();
  }

  private static Put put(int row, long timestamp, String value) {
    return new Put(Bytes.toBytes("row" + row))
        .addColumn(FAMILY, Bytes.toBytes("q"), timestamp, Bytes.toBytes(value));
  }

  private static List<String> read(Region region, Scan scan) throws IOException {
    List<String> found = new ArrayList<>();
    List<Cell> row = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
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
    }
    return found;
  }

  /** What HBase does to the memory of a region's copy when the region itself has flushed. */
  @Test
  void aSnapshotThatIsDroppedWithoutAFileTakesItsCellsAlong() throws IOException {
    HRegion region = open(withOurs(table("dropped", family())));
    HStore store = storeOf(region);
    for (int i = 0; i < 500; i++) {
      region.put(put(i, 1, "gone"));
    }
    assertThat(region.getMemStoreDataSize()).isPositive();
    SnapshotDrop.drop(region, store, () -> region.put(put(7, 2, "kept")));

    assertThat(store.getStorefilesCount()).isZero();
    assertThat(store.getSnapshotSize().getCellsCount()).isZero();
    assertThat(read(region, new Scan())).containsExactly("row7:q@2=kept");
    assertThat(region.getMemStoreDataSize()).isEqualTo(store.getMemStoreSize().getDataSize());
    region.flush(true);
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(read(region, new Scan())).containsExactly("row7:q@2=kept");
  }

  /** What was overwritten in memory is no longer needed from the log; what was not still is. */
  @Test
  void theLogIsToldOfTheOldestCellThatIsLeft() throws Exception {
    HRegion region = open(withOurs(table("logged", family())));
    region.put(put(0, 0, "first"));
    long first = earliestInLog(region);
    assertThat(first).isPositive();
    FILES.waitFor(
        180_000,
        () -> {
          overwrite(region);
          return earliestInLog(region) > first;
        });
    Put kept = put(1000, 1, "stays alone in its row");
    region.put(kept);
    long keptNumber = region.getMVCC().getReadPoint();
    FILES.waitFor(
        180_000,
        () -> {
          overwrite(region);
          return earliestInLog(region) == keptNumber;
        });
    overwrite(region);
    settle(region);
    assertThat(earliestInLog(region)).isEqualTo(keptNumber);
  }

  /** Told of the cells of a flush that has begun, the log would keep their number after it. */
  @Test
  void whileAFlushIsOnItsWayTheLogIsToldNothing() throws Exception {
    HRegion region = open(withOurs(table("flushed", family())));
    region.put(put(0, 0, "value"));
    byte[] name = region.getRegionInfo().getEncodedNameAsBytes();
    region.getWAL().startCacheFlush(name, Set.of(FAMILY));
    SnapshotDrop.drop(region, storeOf(region), () -> memStoreOf(region).settle());
    region.getWAL().completeCacheFlush(name, region.getMVCC().getReadPoint());
    assertThat(earliestInLog(region)).isEqualTo(HConstants.NO_SEQNUM);
  }

  private static long earliestInLog(HRegion region) {
    byte[] name = region.getRegionInfo().getEncodedNameAsBytes();
    return region.getWAL().getEarliestMemStoreSeqNum(name, FAMILY);
  }

  @Test
  void filesThatAreLoadedJoinWhatIsInMemory() throws IOException {
    HRegion region = open(withOurs(table("loaded", family())));
    for (int i = 0; i < 300; i++) {
      region.put(put(i, 1, "memory"));
    }
    Path file = new Path(FILES.getDataTestDir("loaded-file-" + System.nanoTime()), "f/file");
    HFileTestUtil.createHFile(
        FILES.getConfiguration(),
        FILES.getTestFileSystem(),
        file,
        FAMILY,
        Bytes.toBytes("loaded"),
        Bytes.toBytes("s000"),
        Bytes.toBytes("s999"),
        10);
    region.bulkLoadHFiles(List.of(Pair.newPair(FAMILY, file.toString())), true, null);
    region.put(put(1, 2, "after"));
    List<String> found = read(region, new Scan());
    assertThat(found.stream().filter(cell -> cell.startsWith("row")).toList()).hasSize(300);
    assertThat(found).contains("row1:q@2=after");
    assertThat(found.stream().filter(cell -> cell.startsWith("s")).toList()).hasSize(10);
    region.flush(true);
    region.compact(true);
    assertThat(read(region, new Scan())).isEqualTo(found);
  }

  private static void overwrite(HRegion region) throws IOException {
    for (int i = 0; i < 2000; i++) {
      region.put(put(i % 10, i, "value" + i));
    }
  }

  /** Waits until what has been sealed is merged or compacted, by the real clock. */
  private static void settle(HRegion region) throws InterruptedException {
    await(
        "merges in memory",
        () -> memStoreOf(region).figures().segments(),
        segments -> segments <= SEGMENTS_MAX);
  }

  @Test
  void whileTheLogIsReplayedNothingIsDroppedAndTheLogSaysSoOnce() throws Exception {
    HRegion region = open(withOurs(table("replayed", family())));
    ArenaMemStore memStore = memStoreOf(region);
    memStore.startReplayingFromWAL();
    overwrite(region);
    FILES.waitFor(180_000, () -> !memStore.obstaclesTold().isEmpty());
    assertThat(memStore.figures().cellsEliminated()).isZero();
    assertThat(memStore.obstaclesTold()).containsExactly("the log's being replayed");
    memStore.stopReplayingFromWAL();
    overwrite(region);
    FILES.waitFor(180_000, () -> memStore.figures().cellsEliminated() > 0);
    assertThat(read(region, new Scan())).hasSize(10);
  }

  @Test
  void aCoprocessorThatWatchesWhatIsDroppedKeepsUsFromDropping() throws Exception {
    HRegion region =
        open(withOurs(table("watched", family())).setCoprocessor(Watcher.class.getName()));
    region.setCoprocessorHost(
        new RegionCoprocessorHost(
            region, Mockito.mock(RegionServerServices.class), FILES.getConfiguration()));
    overwrite(region);
    overwrite(region);
    ArenaMemStore memStore = memStoreOf(region);
    FILES.waitFor(180_000, () -> !memStore.obstaclesTold().isEmpty());
    assertThat(memStore.obstaclesTold()).containsExactly("coprocessor " + Watcher.class.getName());
    assertThat(memStore.figures().cellsEliminated()).isZero();
    assertThat(memStore.figures().cells()).isEqualTo(4000);
  }

  @Test
  void newVersionBehaviourKeepsUsFromDropping() throws Exception {
    HRegion region = open(withOurs(table("new", family().setNewVersionBehavior(true))));
    overwrite(region);
    ArenaMemStore memStore = memStoreOf(region);
    FILES.waitFor(180_000, () -> !memStore.obstaclesTold().isEmpty());
    assertThat(memStore.obstaclesTold()).containsExactly("the family's new version behaviour");
    assertThat(memStore.figures().cellsEliminated()).isZero();
  }

  /**
   * The same writes into a region of HBase's own memory store, which drops nothing, and into one of
   * ours, which compacts all the time, read the same. No version is deleted, nor has a time to
   * live, of its own: what lies beneath comes back then, unless a compaction has dropped it before,
   * with HBase's own compactions as well.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, FALSE, false",
    "3, 0, 0, FALSE, false",
    "3, 2, 1000, FALSE, false",
    "2, 0, 1000, TTL, false",
    "3, 0, 0, TRUE, false",
    "2, 0, 0, FALSE, true",
  })
  void readersSeeWhatTheySeeWithHBasesOwnStore(
      int versions, int minVersions, int ttlSeconds, KeepDeletedCells keepDeleted, boolean newRules)
      throws Exception {
    ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    clock.setValue(1_700_000_000_000L);
    EnvironmentEdgeManager.injectEdge(clock);
    ColumnFamilyDescriptorBuilder family =
        family()
            .setMaxVersions(versions)
            .setMinVersions(minVersions)
            .setKeepDeletedCells(keepDeleted)
            .setNewVersionBehavior(newRules);
    if (ttlSeconds > 0) {
      family.setTimeToLive(ttlSeconds);
    }
    HRegion ours = open(withOurs(table("agreement", family)));
    HRegion hbases = open(table("agreement", family));
    Random random = new Random(versions * 31L + ttlSeconds);
    for (int step = 0; step < AGREEMENT_STEPS; step++) {
      Mutation mutation = mutation(random, clock.currentTime());
      apply(ours, mutation);
      apply(hbases, mutation);
      clock.incValue(random.nextInt(1000));
      if (step % 1200 == 1199) {
        ours.flush(true);
        hbases.flush(true);
      }
      if (step % 300 == 299) {
        if (step % 600 == 599) {
          settle(ours);
        }
        Scan scan = new Scan().readVersions(versions);
        assertThat(read(ours, scan)).as("after step " + step).isEqualTo(read(hbases, scan));
      }
    }
    boolean drops = !newRules;
    assertThat(memStoreOf(ours).figures().cellsEliminated() > 0).isEqualTo(drops);
  }

  private static Mutation mutation(Random random, long now) {
    byte[] row = Bytes.toBytes("row" + random.nextInt(20));
    byte[] qualifier = Bytes.toBytes("q" + random.nextInt(3));
    long timestamp = now - random.nextInt(3) * 500L;
    return switch (random.nextInt(20)) {
      case 0 -> new Delete(row).addFamily(FAMILY, timestamp);
      case 1, 2 -> new Delete(row).addColumns(FAMILY, qualifier, timestamp);
      default ->
          new Put(row)
              .addColumn(FAMILY, qualifier, timestamp, Bytes.toBytes("v" + random.nextInt()));
    };
  }

  private static void apply(HRegion region, Mutation mutation) throws IOException {
    if (mutation instanceof Put put) {
      region.put(new Put(put));
    } else {
      region.delete(new Delete((Delete) mutation));
    }
  }
}
