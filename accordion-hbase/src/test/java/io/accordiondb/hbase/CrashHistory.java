// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DroppedSnapshotException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionReport;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A random life of a region from its opening to a crash: one thread writes, flushes, rolls the log
 * and reports, while segments are compacted. The model knows what the crash must leave.
 */
final class CrashHistory {
  /** Makes a segment hold few cells. */
  private static final int VALUE_PADDING_MAX = 4000;

  private static final int AHEAD = 100;
  private static final int[] SKIP_PERCENTS = {0, 5, 30};
  private static final int[] SYNC_PERCENTS = {1, 5, 50};

  /** More than follow each other without a pause. */
  private static final int MERGES_MAX = 5;

  /** HBase reports again and again; what it reports must hold from then on. */
  private final Map<String, Long> notNeededUpTo = new TreeMap<>();

  private final Random random;
  private final List<String> families;
  private final HRegion region;
  private final CrashingLog log;
  private final SurvivorModel model;
  private final List<OpenScan> scans = new ArrayList<>();

  /** How often, of a hundred writes, the log is skipped in the present phase. */
  private int skipPercent;

  private final int skipPercentMax;

  /** How often, of a hundred other writes, the log is synced. */
  private final int syncPercent;

  /** The fewer columns, the sooner the oldest cell in memory is displaced. */
  private final int rows;

  private final int columns;

  /** Whether what a step has sealed is compacted before the next one, so that a seed repeats. */
  private final boolean settlesAlways;

  /** Whether there are deletes: markers stay in memory until a flush, and so does the log. */
  private final boolean deletes;

  /** Whether there are increments and what appends to texts. */
  private final boolean counts;

  /** How far timestamps lag behind, at most. */
  private final int disorder;

  private boolean aFlushHasFailed;
  private boolean broken;
  private int values;

  /** A scanner that has not read yet, and what it must read. */
  private record OpenScan(RegionScanner scanner, List<String> expected) {}

  CrashHistory(
      Random random, List<String> families, HRegion region, CrashingLog log, SurvivorModel model) {
    this.random = random;
    this.families = families;
    this.region = region;
    this.log = log;
    this.model = model;
    this.skipPercentMax = SKIP_PERCENTS[random.nextInt(SKIP_PERCENTS.length)];
    this.syncPercent = SYNC_PERCENTS[random.nextInt(SYNC_PERCENTS.length)];
    this.rows = 1 + random.nextInt(3);
    this.columns = 1 + random.nextInt(2);
    this.settlesAlways = random.nextInt(4) > 0;
    this.deletes = random.nextInt(3) == 0;
    this.counts = random.nextInt(3) == 0;
    this.disorder = 1 + random.nextInt(2) * 50;
  }

  /** Lives until a crash is due. */
  void run(int steps) throws Exception {
    for (int step = 0; step < steps && !broken; step++) {
      step(random.nextInt(1000));
      if (settlesAlways) {
        settle();
      }
    }
    closeScans();
    settle();
    report();
  }

  /** Returns whether HBase would have stopped the server. */
  boolean isBroken() {
    return broken;
  }

  /** Returns for each family up to which number the master leaves out the log. */
  Map<String, Long> notNeededUpTo() {
    return notNeededUpTo;
  }

  private void step(int choice) throws Exception {
    if (choice < 14) {
      flush(random.nextInt(4) == 0 ? families : List.of(randomFamily()));
    } else if (choice < 15) {
      flushWithoutSync();
    } else if (choice < 16) {
      flushWithoutFiles();
    } else if (choice < 20) {
      region.getWAL().rollWriter(true);
    } else if (choice < 24) {
      openScan();
    } else if (choice < 36) {
      closeScans();
    } else if (choice < 60) {
      report();
    } else if (choice < 80) {
      settle();
    } else if (choice < 110) {
      skipPercent = random.nextInt(3) == 0 ? skipPercentMax : 0;
    } else if (choice < 190 && counts) {
      count();
    } else if (choice < 240) {
      write(
          Stream.generate(this::randomMutation)
              .limit(2 + random.nextInt(9))
              .toArray(Mutation[]::new));
    } else {
      write(randomMutation());
    }
  }

  private String randomFamily() {
    return families.get(random.nextInt(families.size()));
  }

  private Durability randomDurability() {
    if (random.nextInt(100) < skipPercent) {
      return Durability.SKIP_WAL;
    }
    return random.nextInt(100) < syncPercent ? Durability.SYNC_WAL : Durability.ASYNC_WAL;
  }

  private Put put(int row, Durability durability) {
    Put put = new Put(row(row)).setDurability(durability);
    for (int i = random.nextInt(3); i >= 0; i--) {
      put.addColumn(
          Bytes.toBytes(randomFamily()),
          Bytes.toBytes("q" + random.nextInt(columns)),
          timestamp(),
          Bytes.toBytes("value " + values++ + " ".repeat(random.nextInt(VALUE_PADDING_MAX))));
    }
    return put;
  }

  /** Some are far ahead, so that later writes, which are lower, do not displace these cells. */
  private long timestamp() {
    long ahead = random.nextInt(15) == 0 ? AHEAD : 0;
    return AHEAD + ahead + region.getMVCC().getReadPoint() - random.nextInt(disorder);
  }

  private static byte[] row(int row) {
    return Bytes.toBytes("row" + row);
  }

  private Mutation randomMutation() {
    if (!deletes || random.nextInt(12) > 0) {
      return put(random.nextInt(rows), randomDurability());
    }
    Delete delete = new Delete(row(random.nextInt(rows))).setDurability(randomDurability());
    byte[] family = Bytes.toBytes(randomFamily());
    long timestamp = timestamp();
    return switch (random.nextInt(3)) {
      case 0 -> delete.addFamily(family, timestamp);
      case 1 -> delete.addColumns(family, Bytes.toBytes("q" + random.nextInt(columns)), timestamp);
      default -> delete.addColumns(family, Bytes.toBytes("c"));
    };
  }

  private void write(Mutation... mutations) throws IOException {
    region.batchMutate(mutations);
    for (Mutation mutation : mutations) {
      mutation.getFamilyCellMap().values().forEach(cells -> note(mutation.getDurability(), cells));
    }
  }

  /** An increment, or what appends to a text. */
  private void count() throws IOException {
    byte[] row = row(random.nextInt(rows));
    byte[] family = Bytes.toBytes(randomFamily());
    Durability durability = randomDurability();
    Result result =
        random.nextBoolean()
            ? region.increment(
                new Increment(row)
                    .addColumn(family, Bytes.toBytes("c"), 1)
                    .setDurability(durability))
            : region.append(
                new Append(row)
                    .addColumn(family, Bytes.toBytes("text"), Bytes.toBytes("."))
                    .setDurability(durability));
    note(durability, List.of(result.rawCells()));
  }

  /** Notes cells of the last write. A batch has one number, and one entry in the log at most. */
  private void note(Durability durability, List<Cell> cells) {
    model.write(
        region.getMVCC().getReadPoint(),
        durability == Durability.SKIP_WAL ? SurvivorModel.UNLOGGED : log.lastWrite(),
        cells);
  }

  private HRegion.FlushResultImpl flushOf(List<String> wanted) throws IOException {
    return region.flushcache(
        wanted.stream().map(Bytes::toBytes).toList(),
        random.nextBoolean(),
        FlushLifeCycleTracker.DUMMY);
  }

  private void flush(List<String> wanted) throws IOException {
    if (!aFlushHasFailed && flushOf(wanted).isFlushSucceeded()) {
      wanted.forEach(model::flush);
    }
  }

  /**
   * Leaves the snapshot in memory. A further flush would lose cells with HBase's own store, too.
   */
  private void flushWithoutSync() throws IOException {
    if (aFlushHasFailed || region.getMemStoreDataSize() == 0) {
      return;
    }
    log.failSyncs(true);
    try {
      String family = randomFamily();
      assertThatThrownBy(() -> flushOf(List.of(family))).isInstanceOf(IOException.class);
    } finally {
      log.failSyncs(false);
    }
    aFlushHasFailed = true;
  }

  /** After this, HBase stops the server. */
  private void flushWithoutFiles() throws IOException {
    if (aFlushHasFailed || region.getMemStoreDataSize() == 0) {
      return;
    }
    Path temporary = new Path(region.getRegionFileSystem().getRegionDir(), ".tmp");
    region.getFilesystem().delete(temporary, true);
    region.getFilesystem().create(temporary).close();
    closeScans();
    assertThatThrownBy(() -> flushOf(families)).isInstanceOf(DroppedSnapshotException.class);
    broken = true;
  }

  private void openScan() throws IOException {
    Scan scan = random.nextBoolean() ? new Scan() : new Scan().readAllVersions();
    // The region's own method returns another type in HBase 2.4.
    Region reader = region;
    RegionScanner scanner = reader.getScanner(scan);
    scans.add(new OpenScan(scanner, RegionFixture.read(region, scan)));
  }

  private void closeScans() throws IOException {
    for (OpenScan scan : scans) {
      List<String> found = RegionFixture.read(scan.scanner());
      scan.scanner().close();
      assertThat(found).isEqualTo(scan.expected());
    }
    scans.clear();
  }

  private void report() {
    RegionReport.notNeededUpTo(region)
        .forEach((family, upTo) -> notNeededUpTo.merge(family, upTo, Math::max));
  }

  /** Waits for what has been sealed to be compacted, and has it reported. */
  private void settle() throws InterruptedException {
    for (int i = 0; i < MERGES_MAX; i++) {
      CountDownLatch idle = new CountDownLatch(1);
      ServerMemory.of(region.getReadOnlyConfiguration()).executor().execute(idle::countDown);
      if (!idle.await(1, TimeUnit.MINUTES)) {
        throw new AssertionError("the thread that merges does not come to an end");
      }
    }
    for (String family : families) {
      if (MemStoreOf.store(region.getStore(Bytes.toBytes(family))) instanceof AccordionMemStore ours
          && ours.delegate() instanceof ArenaMemStore store) {
        RegionFixture.settle(store);
      }
    }
  }
}
