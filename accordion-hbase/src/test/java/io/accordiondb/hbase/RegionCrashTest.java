// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.SnapshotDrop;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of a region that end with a crash: what the log has synced, and has not been
 * told that it is no longer needed, and the files must together give what was written. A region
 * with HBase's own memory stores, which replays all of that from one log, says how it reads.
 */
class RegionCrashTest {
  private static final List<String> FAMILIES = List.of("f", "g", "h");
  private static final HBaseTestingUtility FILES = RegionFixture.FILES;

  /**
   * The first has found that the log was told too much while what it had not synced was in memory,
   * the second the same of what it lacked.
   */
  private static final long[] SEEDS = {12, 34};

  private static final int SEEDS_LONG = 1000;
  private static final int CRASHES_MAX = 2;
  private static final int STEPS_MAX = 400;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void aCrashTakesNothingThatWasSynced() throws Exception {
    int told = 0;
    for (long seed : SEEDS) {
      told += check(seed);
    }
    assertThat(told).isPositive();
  }

  /** Names all seeds that fail; {@code -Daccordion.crash.first} and {@code .seeds} repeat them. */
  @Test
  @Tag("long")
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void aCrashTakesNothingThatWasSyncedInManyHistories() {
    long first = Long.getLong("accordion.crash.first", new Random().nextInt());
    SoftAssertions failures = new SoftAssertions();
    for (int i = 0; i < Integer.getInteger("accordion.crash.seeds", SEEDS_LONG); i++) {
      long seed = first + i;
      failures.assertThatCode(() -> check(seed)).doesNotThrowAnyException();
    }
    failures.assertAll();
  }

  /** Returns how often logs were told that they are no longer needed for cells in memory. */
  private static int check(long seed) throws Exception {
    try {
      return new Lives(seed).run();
    } catch (AssertionError | Exception e) {
      throw new AssertionError("seed " + seed, e);
    } finally {
      FILES.cleanupTestDir();
    }
  }

  /** One region that is opened again after each crash. */
  private static final class Lives {
    private final Random random;
    private final FileSystem files;
    private final TableName name = TableName.valueOf("crashes");
    private final RegionInfo info = RegionInfoBuilder.newBuilder(name).build();
    private final TableDescriptor withHBases;
    private final TableDescriptor withOurs;
    private final SurvivorModel model = new SurvivorModel();
    private int folders;
    private int told;

    Lives(long seed) throws IOException {
      random = new Random(seed);
      files = FILES.getTestFileSystem();
      List<ColumnFamilyDescriptorBuilder> families = randomFamilies();
      withHBases = table(families);
      int hbases = random.nextInt(6);
      for (int i = 0; i < FAMILIES.size(); i++) {
        if (i != hbases) {
          families
              .get(i)
              .setConfiguration(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName())
              .setConfiguration(
                  StoreSettings.POLICY_KEY, random.nextInt(4) == 0 ? "ADAPTIVE" : "EAGER")
              .setConfiguration(StoreSettings.ACTIVE_FRACTION_KEY, "0.00002");
        }
      }
      withOurs = table(families);
    }

    private List<ColumnFamilyDescriptorBuilder> randomFamilies() {
      List<ColumnFamilyDescriptorBuilder> families = new ArrayList<>();
      for (String family : FAMILIES) {
        ColumnFamilyDescriptorBuilder builder =
            ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
                .setMaxVersions(1 + random.nextInt(4) / 2)
                .setNewVersionBehavior(random.nextInt(6) == 0)
                .setKeepDeletedCells(KeepDeletedCells.values()[random.nextInt(3)]);
        if (random.nextInt(4) == 0) {
          // All but the numbers and texts has expired.
          builder.setTimeToLive(1000).setMinVersions(1);
        }
        families.add(builder);
      }
      return families;
    }

    private TableDescriptor table(List<ColumnFamilyDescriptorBuilder> families) {
      TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
      families.forEach(family -> table.setColumnFamily(family.build()));
      return table.build();
    }

    int run() throws Exception {
      Path root = newRoot();
      for (int crashes = 1 + random.nextInt(CRASHES_MAX); crashes >= 0; crashes--) {
        root = live(root, crashes == 0);
      }
      return told;
    }

    private Path newRoot() {
      return FILES.getDataTestDir("crash" + folders++);
    }

    /** Opens the region and lives until a crash. Returns where the files are that it has left. */
    private Path live(Path root, boolean isLast) throws Exception {
      CrashingLog log =
          new CrashingLog(HBaseTestingUtility.createWal(configuration(root), root, info));
      TableDescriptor table = random.nextInt(5) == 0 ? withHBases : withOurs;
      HRegion region = open(root, table, log.recording());
      try {
        assertThat(readings(region)).isEqualTo(expected());
        if (!isLast) {
          CrashHistory history = new CrashHistory(random, FAMILIES, region, log, model);
          history.run(1 + random.nextInt(STEPS_MAX));
          if (!history.isBroken() && random.nextInt(3) == 0) {
            assertThat(readings(region)).isEqualTo(expected());
          }
          return crash(root, log.synced(), history.notNeededUpTo());
        }
      } finally {
        abandon(region);
        log.close();
        told += log.told().size();
      }
      return root;
    }

    private Path crash(Path root, long synced, Map<String, Long> notNeededUpTo) throws IOException {
      Path next = newRoot();
      FileUtil.copy(
          files, regionFolder(root), files, regionFolder(next), false, configuration(root));
      files.delete(new Path(regionFolder(next), ".tmp"), true);
      writeLog(next, model.inLog(synced, notNeededUpTo));
      model.crash(synced);
      return next;
    }

    /** What a region reads that replays all that is left. */
    private List<List<String>> expected() throws Exception {
      Path root = newRoot();
      writeLog(root, model.all());
      HRegion region = open(root, withHBases, null);
      try {
        return readings(region);
      } finally {
        abandon(region);
      }
    }

    /** Ends a region without a flush. Nothing that it has in memory may be left in its sizes. */
    private static void abandon(HRegion region) throws Exception {
      // What is left of a flush that has failed, and then what was written after it.
      SnapshotDrop.dropAll(region);
      SnapshotDrop.dropAll(region);
      assertThat(region.getMemStoreDataSize()).isZero();
      region.close(true);
    }

    private static List<List<String>> readings(HRegion region) throws IOException {
      return List.of(
          RegionFixture.read(region, new Scan().readAllVersions()),
          RegionFixture.read(region, new Scan().setReversed(true)));
    }

    private HRegion open(Path root, TableDescriptor table, WAL log) throws IOException {
      if (!files.exists(regionFolder(root))) {
        HRegionFileSystem.createRegionOnFileSystem(
            configuration(root), files, CommonFSUtils.getTableDir(root, name), info);
      }
      return HRegion.openHRegion(configuration(root), files, root, info, table, log);
    }

    private static Configuration configuration(Path root) {
      Configuration configuration = new Configuration(FILES.getConfiguration());
      configuration.set(HConstants.HBASE_DIR, root.toString());
      configuration.setInt("hbase.hstore.flush.retries.number", 1);
      configuration.setInt(ServerMemory.THREADS_KEY, 1);
      configuration.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
      return configuration;
    }

    private Path regionFolder(Path root) {
      return new Path(CommonFSUtils.getTableDir(root, name), info.getEncodedName());
    }

    /** Writes what is left of a log as the split of a log does. */
    private void writeLog(Path root, Map<Long, List<Cell>> left) throws IOException {
      if (left.isEmpty()) {
        return;
      }
      if (!files.exists(regionFolder(root))) {
        HRegionFileSystem.createRegionOnFileSystem(
            configuration(root), files, CommonFSUtils.getTableDir(root, name), info);
      }
      Path folder = new Path(regionFolder(root), "recovered.edits");
      files.mkdirs(folder);
      long last = left.keySet().stream().mapToLong(Long::longValue).max().orElseThrow();
      Path log = new Path(folder, String.format(Locale.ROOT, "%019d", last));
      try (WALProvider.Writer writer =
          FSHLogProvider.createWriter(configuration(root), files, log, true)) {
        for (Map.Entry<Long, List<Cell>> entry : left.entrySet()) {
          WALEdit edit = new WALEdit();
          entry.getValue().forEach(edit::add);
          WALKeyImpl key =
              new WALKeyImpl(
                  info.getEncodedNameAsBytes(),
                  name,
                  entry.getKey(),
                  1,
                  HConstants.DEFAULT_CLUSTER_ID);
          writer.append(new WAL.Entry(key, edit));
        }
        writer.sync(false);
      }
    }
  }
}
