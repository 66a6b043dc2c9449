// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.ClientSideRegionScanner;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.HFileTestUtil;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our memory store in a region of HBase's, without a server. */
class RegionTest extends RegionFixture {
  private static final int AGREEMENT_STEPS = 3_000;
  private static final int REGION_FLUSH_BYTES = 1 << 20;

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

  /** Sees each tracker of deletes, of which a compaction needs one, and fails for a time. */
  public static final class Failing implements RegionCoprocessor, RegionObserver {
    private static volatile boolean fails;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public DeleteTracker postInstantiateDeleteTracker(
        ObserverContext<RegionCoprocessorEnvironment> context, DeleteTracker tracker)
        throws IOException {
      if (fails) {
        throw new IOException("planned");
      }
      return tracker;
    }
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

  /** A job that reads a snapshot of a table opens its regions in its own process. */
  @Test
  void aProcessWithoutAServerReadsTheFilesOfARegion() throws IOException {
    HRegion region = open(withOurs(table("files", family())));
    overwrite(region);
    region.flush(true);
    Path table = region.getRegionFileSystem().getTableDir();
    List<String> found = new ArrayList<>();
    try (ClientSideRegionScanner scanner =
        new ClientSideRegionScanner(
            new Configuration(FILES.getConfiguration()),
            FILES.getTestFileSystem(),
            table.getParent().getParent().getParent(),
            region.getTableDescriptor(),
            region.getRegionInfo(),
            new Scan(),
            null)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        found.add(Bytes.toString(row.getRow()));
      }
    }
    assertThat(found).hasSize(10);
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
    HRegion region = open(withOurs(table("watched", family())), Watcher.class);
    overwrite(region);
    overwrite(region);
    ArenaMemStore memStore = memStoreOf(region);
    FILES.waitFor(180_000, () -> !memStore.obstaclesTold().isEmpty());
    assertThat(memStore.obstaclesTold()).containsExactly("coprocessor " + Watcher.class.getName());
    assertThat(memStore.figures().cellsEliminated()).isZero();
    assertThat(memStore.figures().cells()).isEqualTo(4000);
  }

  @Test
  void whileACoprocessorFailsSegmentsAreMerged() throws Exception {
    HRegion region = open(withOurs(table("failing", family())), Failing.class);
    ArenaMemStore memStore = memStoreOf(region);
    Failing.fails = true;
    try {
      overwrite(region);
      settle(region);
      assertThat(memStore.figures().merges()).isPositive();
      assertThat(memStore.figures().cells()).isEqualTo(2000);
    } finally {
      Failing.fails = false;
    }
    overwrite(region);
    FILES.waitFor(180_000, () -> memStore.figures().cellsEliminated() > 0);
    assertThat(read(region, new Scan())).hasSize(10);
  }

  /** HBase flushes by its size. */
  @Test
  void aRegionDoesNotCountWhatWasDroppedFromASealedSegment() throws Exception {
    HRegion region =
        open(
            withOurs(table("sealed", family()))
                .setValue(StoreSettings.POLICY_KEY, "ADAPTIVE")
                .setValue(StoreSettings.ACTIVE_FRACTION_KEY, "0.0005"));
    int puts = 0;
    while (memStoreOf(region).figures().inMemoryFlushes() == 0) {
      region.put(put(0, puts++, "value"));
    }
    await("the size without the cells dropped", region::getMemStoreDataSize, size -> size < 1000);
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
    // The markers of a family are among the versions of the column without a name. By the new rules
    // HBase fails there.
    List<String> qualifiers = List.of(newRules ? "q0" : "", "q1", "q2");
    for (int step = 0; step < AGREEMENT_STEPS; step++) {
      Mutation mutation = mutation(random, clock.currentTime(), qualifiers);
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

  private static Mutation mutation(Random random, long now, List<String> qualifiers) {
    byte[] row = Bytes.toBytes("row" + random.nextInt(20));
    byte[] qualifier = Bytes.toBytes(qualifiers.get(random.nextInt(qualifiers.size())));
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

  /** HBase sorts such a marker among the versions of the column whose name is empty. */
  @Test
  void aFlushKeepsAFamilysMarkerBehindVersionsOfTheColumnWithoutAName() throws IOException {
    HRegion region = open(withOurs(table("nameless", family().setMaxVersions(1))));
    byte[] row = Bytes.toBytes("row");
    byte[] nameless = new byte[0];
    region.put(new Put(row).addColumn(FAMILY, Bytes.toBytes("q"), 1, Bytes.toBytes("deleted")));
    region.flush(true);
    region.delete(new Delete(row).addFamily(FAMILY, 5));
    region.put(new Put(row).addColumn(FAMILY, nameless, 10, Bytes.toBytes("older")));
    region.put(new Put(row).addColumn(FAMILY, nameless, 20, Bytes.toBytes("newer")));
    assertThat(read(region, new Scan())).containsExactly("row:@20=newer");
    region.flush(true);
    assertThat(read(region, new Scan())).containsExactly("row:@20=newer");
  }

  /** Without its tags, a cell would outlive its time to live, or be shown to everybody. */
  @Test
  void cellsOfABatchThatFailsHalfWayKeepTheirTags() throws IOException {
    HRegion region = open(withOurs(table("tagged", family())));
    region.put(put(0, 1, "untagged"));
    long readable = region.getMVCC().getReadPoint();
    KeyValue tagged =
        new KeyValue(
            Bytes.toBytes("row1"),
            FAMILY,
            Bytes.toBytes("q"),
            1,
            Bytes.toBytes("tagged"),
            new Tag[] {new ArrayBackedTag((byte) 70, "secret")});
    tagged.setSequenceId(readable);
    assertThatThrownBy(() -> memStoreOf(region).add(List.of(tagged, brokenCell()), null))
        .isInstanceOf(OutOfMemoryError.class);
    region.flush(true);
    // The region's own method returns another type in HBase 2.4.
    Region reader = region;
    try (RegionScanner scanner =
        reader.getScanner(new Scan().withStartRow(CellUtil.cloneRow(tagged)))) {
      List<Cell> row = new ArrayList<>();
      scanner.next(row);
      assertThat(row).singleElement().satisfies(cell -> assertThat(hasTag(cell)).isTrue());
    }
  }

  private static boolean hasTag(Cell cell) {
    return PrivateCellUtil.getTag(cell, (byte) 70).isPresent();
  }

  /**
   * HBase adds the rows of a batch one by one and holds a lock meanwhile that a flush needs: pauses
   * of all of them would keep the flush from making room.
   */
  @Test
  void writersAreNotDelayedWhileAFlushWaitsForThem() throws Exception {
    HRegion region =
        open(withOurs(table("braked", family())).setMemStoreFlushSize(REGION_FLUSH_BYTES));
    region.put(put(0, 1, "v".repeat(3 * REGION_FLUSH_BYTES)));
    ArenaMemStore store = memStoreOf(region);
    add(region, 1);
    long slowed = store.figures().slowedWrites();
    assertThat(slowed).isPositive();
    region.blockUpdates();
    TestThread flush;
    try {
      flush = TestThread.start("flush", () -> region.flush(true));
      flush.awaitBlockedIn("internalFlushcache");
      for (int i = 2; i < 10; i++) {
        add(region, i);
      }
    } finally {
      region.unblockUpdates();
    }
    flush.join();
    assertThat(store.figures().slowedWrites()).isEqualTo(slowed);
  }

  /** Adds a cell as a write does that the region has let in. */
  private static void add(HRegion region, int row) {
    RecordingRegion added = new RecordingRegion(TableName.valueOf("braked"), REGION_FLUSH_BYTES);
    memStoreOf(region)
        .add(
            new KeyValue(Bytes.toBytes("row" + row), FAMILY, null, 1, Bytes.toBytes("value")),
            added);
    new RegionServicesForStores(region, null)
        .addMemStoreSize(
            added.getDataSize(),
            added.getHeapSize(),
            added.getOffHeapSize(),
            added.getCellsCount());
  }
}
