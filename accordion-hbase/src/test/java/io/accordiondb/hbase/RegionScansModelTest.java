// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random calls of two regions, one with our memory store and one with HBase's own, which is the
 * model: gets and scans return the same cells, also scans that stay open over writes, in-memory
 * compactions and flushes. Where a policy drops cells, nothing is called whose answer depends on
 * when cells are dropped; see {@link RandomCalls.Scope}. With the policy NONE, HBase's store is
 * compared with itself: a failure there is one of this test.
 *
 * <p>{@code -Dmodel.seed=N} repeats a failure, as far as no other thread has a part in it; an odd
 * seed has chunks on the heap. {@code -Dmodel.minutes=N} says how long the long run takes for each
 * policy.
 */
class RegionScansModelTest extends RegionFixture {
  private static final long SEED = Long.getLong("model.seed", System.currentTimeMillis());
  private static final int STEPS = 200;

  /** Each read compares each cell with the newer segments. */
  private static final int UNLOGGED_STEPS = 100;

  private static final int OPEN_SCANS_MAX = 6;
  private static final int ROWS_OF_A_READ_MAX = 5;

  /** The clock moves on by up to this many parts of a tick, so each tick has a few steps. */
  private static final int TICK_PARTS = 5;

  private static final long START_MILLIS = 1_700_000_000_000L;

  /** In the time of all steps, cells expire several times. */
  private static final int TTL_SECONDS = 15;

  /** More than a flush writes. */
  private static final int ONE_BLOCK_BYTES = 64 << 20;

  private static final LongAdder DROPPED = new LongAdder();

  @BeforeAll
  static void chooseMemory() {
    FILES.getConfiguration().set(ServerMemory.CHUNK_MEMORY_KEY, SEED % 2 == 0 ? "offheap" : "heap");
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void readsAreThoseOfHBasesOwnStore(Policy policy) throws Exception {
    check(policy, SEED);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void readsAreThoseOfHBasesOwnStoreForALongTime(Policy policy) throws Exception {
    Instant end = Instant.now().plus(Duration.ofMinutes(Long.getLong("model.minutes", 2)));
    long seed = SEED;
    while (Instant.now().isBefore(end)) {
      check(policy, seed);
      FILES.cleanupTestDir();
      // The next one has its chunks in the same memory.
      seed += 2;
    }
    System.out.printf("%s: seeds %d to %d%n", policy, SEED, seed - 2);
  }

  /** Where nothing is dropped, nothing is known about what compactions keep. */
  @AfterAll
  static void cellsHaveBeenDropped() {
    assertThat(DROPPED.sum()).isPositive();
  }

  private void check(Policy policy, long seed) throws Exception {
    for (Durability durability : List.of(Durability.USE_DEFAULT, Durability.SKIP_WAL)) {
      Sequence sequence = null;
      try {
        sequence = new Sequence(policy, seed, durability);
        sequence.run();
      } catch (AssertionError | Exception e) {
        throw new AssertionError(
            policy + ", " + durability + ", -Dmodel.seed=" + seed + ": " + sequence, e);
      } finally {
        close();
      }
    }
  }

  /** The calls of one seed. */
  private final class Sequence {
    private final Random random;
    private final ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    private final boolean isLogged;
    private final RandomCalls.Scope scope;
    private final List<ColumnFamilyDescriptor> families;
    private final HRegion ours;
    private final HRegion hbases;
    private final List<OpenScan> openScans = new ArrayList<>();
    private int step;

    Sequence(Policy policy, long seed, Durability durability) throws IOException {
      // The numbers that Random returns for neighbouring seeds are alike.
      random = new Random(new SplittableRandom(seed + policy.ordinal()).nextLong());
      isLogged = durability != Durability.SKIP_WAL;
      boolean drops = policy != Policy.NONE && policy != Policy.BASIC;
      scope =
          !drops
              ? RandomCalls.Scope.ALL
              : random.nextBoolean()
                  ? RandomCalls.Scope.AS_COMPACTED
                  : RandomCalls.Scope.NO_VERSION_MARKERS;
      families = List.of(randomFamily("f", !drops), randomFamily("g", true));
      clock.setValue(START_MILLIS);
      EnvironmentEdgeManager.injectEdge(clock);
      TableDescriptorBuilder table =
          TableDescriptorBuilder.newBuilder(TableName.valueOf("scans")).setDurability(durability);
      families.forEach(table::setColumnFamily);
      hbases = open(table);
      ours =
          open(
              withOurs(table)
                  .setValue(StoreSettings.POLICY_KEY, policy.name())
                  .setValue(
                      StoreSettings.PIPELINE_SEGMENTS_KEY, Integer.toString(1 + random.nextInt(8)))
                  .setValue(
                      StoreSettings.MERGE_SCHEDULE_KEY, random.nextBoolean() ? "ALL" : "TIERED"));
    }

    /**
     * Returns a family.
     *
     * @param mayKeepAll whether it may have the new version behaviour, with which our store drops
     *     nothing
     */
    private ColumnFamilyDescriptor randomFamily(String name, boolean mayKeepAll) {
      ColumnFamilyDescriptorBuilder family =
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name))
              .setMaxVersions(random.nextBoolean() ? 1 : 3)
              .setKeepDeletedCells(KeepDeletedCells.values()[random.nextInt(3)])
              .setNewVersionBehavior(mayKeepAll && random.nextBoolean());
      if (random.nextBoolean()) {
        family.setTimeToLive(TTL_SECONDS).setMinVersions(random.nextInt(2));
      }
      if (scope != RandomCalls.Scope.ALL) {
        // In a file of several blocks, HBase itself may step over the markers of a family, in other
        // rows if other cells were dropped.
        family.setBlocksize(ONE_BLOCK_BYTES);
      }
      return family.build();
    }

    /** Returns calls that are the same for the same seed, until the clock moves on. */
    private RandomCalls calls(long seed) {
      return new RandomCalls(seed, clock.currentTime(), families, scope);
    }

    void run() throws Exception {
      writeBeforeAllRanges();
      for (step = 0; step < (isLogged ? STEPS : UNLOGGED_STEPS); step++) {
        write();
        clock.incValue(random.nextInt(TICK_PARTS) * RandomCalls.TICK_MILLIS / TICK_PARTS);
        int action = random.nextInt(100);
        if (action == 0) {
          flush();
        } else if (action < 6) {
          openScan();
        } else if (action < 16) {
          readOn();
        } else if (action < 20) {
          get();
        }
        scanWithoutNewestSegments();
      }
      while (!openScans.isEmpty()) {
        readOn();
      }
      flush();
      if (memStoreIsOurs()) {
        StoreFigures figures = memStoreOf(ours).figures();
        assertThat(figures.inMemoryFlushes()).isPositive();
        DROPPED.add(figures.cellsEliminated());
      }
    }

    private boolean memStoreIsOurs() {
      return ((AccordionMemStore) MemStoreOf.store(storeOf(ours))).delegate()
          instanceof ArenaMemStore;
    }

    private void write() throws IOException {
      long seed = random.nextLong();
      assertThat(apply(ours, calls(seed).mutations()).value())
          .isEqualTo(apply(hbases, calls(seed).mutations()).value());
    }

    /**
     * Writes a cell that is older than the ranges of all reads. HBase's memory store is not read
     * for a range that all its cells are behind. With the new version behaviour, a put of its then
     * does not count as a version, although it did before a flush took the older cells away.
     */
    private void writeBeforeAllRanges() throws IOException {
      for (ColumnFamilyDescriptor family : families) {
        if (family.isNewVersionBehavior()) {
          for (HRegion region : List.of(ours, hbases)) {
            region.put(RandomCalls.putBeforeAllRanges(family));
          }
        }
      }
    }

    private void flush() throws IOException {
      readAll();
      ours.flush(true);
      hbases.flush(true);
      writeBeforeAllRanges();
      readAll();
      if (!isLogged || scope == RandomCalls.Scope.AS_COMPACTED) {
        // What a file has is not written again: without sequence numbers, HBase may return the
        // older of two equal cells. And HBase's flushes count puts that a marker in a file hides.
        clock.incValue(2 * RandomCalls.TICKS_MAX * RandomCalls.TICK_MILLIS);
      }
    }

    /** Reads every row, and markers where they must be the same. */
    private void readAll() throws IOException {
      boolean raw = scope == RandomCalls.Scope.ALL && random.nextBoolean();
      boolean reversed = random.nextBoolean();
      Scan scan = new Scan().setRaw(raw).setReversed(reversed).readAllVersions();
      start(scan, new Scan(scan)).compare(Integer.MAX_VALUE);
    }

    private void get() throws IOException {
      long seed = random.nextLong();
      assertThat(texts(ours.get(calls(seed).get())))
          .as("%s", calls(seed).get())
          .isEqualTo(texts(hbases.get(calls(seed).get())));
    }

    /**
     * With the new version behaviour, the puts behind a range count as versions. Segments whose
     * cells are all behind it and delete nothing are few, so it takes many scans to meet one.
     */
    private void scanWithoutNewestSegments() throws IOException {
      ColumnFamilyDescriptor family = families.get(random.nextInt(families.size()));
      if (family.isNewVersionBehavior()) {
        long seed = random.nextLong();
        start(
                calls(seed).scanUpToShortlyBeforeNow(family),
                calls(seed).scanUpToShortlyBeforeNow(family))
            .compare(Integer.MAX_VALUE);
      }
    }

    private void openScan() throws IOException {
      if (openScans.size() == OPEN_SCANS_MAX) {
        openScans.remove(0).compare(Integer.MAX_VALUE);
      }
      long seed = random.nextLong();
      OpenScan opened = start(calls(seed).scan(), calls(seed).scan());
      if (mayStayOpen(opened.scan)) {
        openScans.add(opened);
      } else {
        opened.compare(Integer.MAX_VALUE);
      }
    }

    /**
     * Of other scans it is not defined which later writes they see, and HBase itself fails where a
     * reverse scan goes on within a row after a flush.
     */
    private boolean mayStayOpen(Scan scan) {
      return isLogged
          && scan.getIsolationLevel() == IsolationLevel.READ_COMMITTED
          && (!scan.isReversed() || scan.getBatch() < 0);
    }

    private OpenScan start(Scan scan, Scan equalScan) throws IOException {
      return new OpenScan(
          this, scan, ((Region) ours).getScanner(scan), ((Region) hbases).getScanner(equalScan));
    }

    /** Reads on where a random scan has stopped. */
    private void readOn() throws IOException {
      if (!openScans.isEmpty()) {
        OpenScan scan = openScans.get(random.nextInt(openScans.size()));
        int rows = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(ROWS_OF_A_READ_MAX);
        if (!scan.compare(rows)) {
          openScans.remove(scan);
        }
      }
    }

    private List<String> texts(Result result) {
      return result.isEmpty() ? List.of() : texts(List.of(result.rawCells()));
    }

    private List<String> texts(List<Cell> cells) {
      List<String> texts = new ArrayList<>();
      for (Cell cell : cells) {
        texts.add(
            String.format(
                "%s number %d, value of %d: %d, tags of %d: %d",
                CellUtil.getCellKeyAsString(cell),
                // A region whose cells have all been dropped writes no flush to its log.
                scope == RandomCalls.Scope.ALL ? cell.getSequenceId() : 0,
                cell.getValueLength(),
                Bytes.hashCode(CellUtil.cloneValue(cell)),
                cell.getTagsLength(),
                Bytes.hashCode(PrivateCellUtil.cloneTags(cell))));
      }
      return texts;
    }

    @Override
    public String toString() {
      return String.format("step %d, %s, families %s", step, scope, families);
    }
  }

  /** A scan of both regions, which stops at the same cell in both. */
  private static final class OpenScan {
    private final Sequence sequence;
    private final Scan scan;
    private final int openedAt;
    private final Rows ours;
    private final Rows hbases;

    OpenScan(Sequence sequence, Scan scan, RegionScanner ours, RegionScanner hbases) {
      this.sequence = sequence;
      this.scan = scan;
      this.openedAt = sequence.step;
      this.ours = new Rows(ours);
      this.hbases = new Rows(hbases);
    }

    /** Compares some rows, and returns whether there may be more. Closes the scanners if not. */
    boolean compare(int rows) throws IOException {
      boolean more = true;
      for (int i = 0; more && i < rows; i++) {
        List<String> expected = sequence.texts(hbases.next());
        assertThat(sequence.texts(ours.next()))
            .as("opened at step %d: %s", openedAt, scan)
            .isEqualTo(expected);
        more = !expected.isEmpty();
      }
      if (!more) {
        ours.scanner.close();
        hbases.scanner.close();
      }
      return more;
    }
  }

  /** The rows, or parts of rows, that a scanner returns. */
  private static final class Rows {
    private final RegionScanner scanner;
    private boolean hasEnded;

    Rows(RegionScanner scanner) {
      this.scanner = scanner;
    }

    /** Returns the cells of the next row that has any, or none. */
    List<Cell> next() throws IOException {
      List<Cell> cells = new ArrayList<>();
      while (cells.isEmpty() && !hasEnded) {
        // Before its end, a scanner may say that there is more although there is not.
        hasEnded = !scanner.next(cells);
      }
      return cells;
    }
  }

  private static Result apply(HRegion region, Mutation[] mutations) throws IOException {
    if (mutations[0] instanceof Increment increment) {
      return region.increment(increment);
    }
    if (mutations[0] instanceof Append append) {
      return region.append(append);
    }
    region.batchMutate(mutations);
    return Result.EMPTY_RESULT;
  }
}
