// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MemoryCursor;
import io.accordiondb.memstore.segment.SegmentContract;
import io.accordiondb.memstore.segment.SegmentFixture;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.memstore.segment.flat.FlatIndexLayout;
import io.accordiondb.memstore.segment.merge.SegmentMerger.Outcome;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.RetentionFilter;
import io.accordiondb.retention.VersionRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class SegmentMergerTest {
  /** Anchors that fit all rows, some rows and none. */
  private static final List<KeyPrefix> PREFIXES =
      List.of(
          KeyPrefix.UNANCHORED,
          SegmentFixture.anchoredAt("user/"),
          SegmentFixture.anchoredAt("user/long-beginning/"),
          SegmentFixture.anchoredAt("user/1"),
          SegmentFixture.anchoredAt("zebra"));

  /** Room for all copies. */
  private static final LongSupplier ROOM = () -> Long.MAX_VALUE;

  private static final VersionRules THREE_VERSIONS =
      new VersionRules(3, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE);

  private static final List<VersionRules> RULES =
      List.of(
          THREE_VERSIONS,
          VersionRules.DEFAULT,
          new VersionRules(2, 1, 50, KeepDeletedCells.FALSE),
          new VersionRules(2, 0, VersionRules.FOREVER, KeepDeletedCells.TRUE));

  private final SegmentFixture memory = new SegmentFixture();
  private SegmentLayout layout = SegmentFixture.HEAP;
  private final List<ImmutableSegment> sources = new ArrayList<>();
  private final List<ModelCell> union = new ArrayList<>();

  @Property(tries = 200)
  void aMergeIsTheSortedUnion(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 6) int segments,
      @ForAll @IntRange(min = 1, max = 700) int cellsMax) {
    makeSources(random, segments, cellsMax);
    Outcome outcome = merger(any(random)).merge(sources);

    assertThat(outcome.cellsRead()).isEqualTo(union.size());
    assertThat(outcome.columnsRead()).isEqualTo(SegmentFixture.columnsOf(union));
    sources.forEach(ImmutableSegment::release);
    ImmutableSegment merged = outcome.segment();
    assertThat(CellReading.readAll(merged)).isEqualTo(union);
    assertThat(merged.stats()).isEqualTo(SegmentContract.statsOf(union));
    assertThat(merged.heldBytes()).isEqualTo(memory.account.usedBytes());
    assertThat(merged.heapBytes()).isEqualTo(memory.account.usedBytes(MemoryKind.HEAP));
    assertFinds(merged, random);
    merged.release();
    memory.assertAllGivenBack();
  }

  @Property(tries = 200)
  void aCompactionIsTheFilteredUnion(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 6) int segments,
      @ForAll @IntRange(min = 1, max = 700) int cellsMax,
      @ForAll boolean dropsDeleteMarkers) {
    makeSources(random, segments, cellsMax);
    long smallestReadPoint = random.nextInt(union.size() + 2);
    List<ModelCell> kept = new ArrayList<>();
    VersionRules rules = RULES.get(random.nextInt(RULES.size()));
    RetentionFilter model = new RetentionFilter(rules, smallestReadPoint, 100, dropsDeleteMarkers);
    for (ModelCell cell : union) {
      if (model.keeps(cell.encode(), 0, cell.length(), cell.sequence())) {
        kept.add(cell);
      }
    }

    RetentionFilter filter = new RetentionFilter(rules, smallestReadPoint, 100, dropsDeleteMarkers);
    Outcome outcome = merger(any(random)).compact(sources, filter, ROOM);

    assertThat(outcome.cellsRead()).isEqualTo(union.size());
    assertThat(outcome.columnsRead()).isEqualTo(SegmentFixture.columnsOf(union));
    assertThat(CellReading.readAll(sources)).isEqualTo(union);
    sources.forEach(ImmutableSegment::release);
    ImmutableSegment compacted = outcome.segment();
    if (kept.isEmpty()) {
      assertThat(compacted).isNull();
    } else {
      assertThat(CellReading.readAll(compacted)).isEqualTo(kept);
      assertStats(compacted.stats(), SegmentContract.statsOf(kept));
      assertThat(compacted.heldBytes()).isEqualTo(memory.account.usedBytes());
      assertThat(compacted.heapBytes()).isEqualTo(memory.account.usedBytes(MemoryKind.HEAP));
      assertFinds(compacted, random);
      compacted.release();
    }
    memory.assertAllGivenBack();
  }

  @Property(tries = 40)
  void whatWasMergedMergesAgain(@ForAll Random random) {
    makeSources(random, 4, 300);
    Outcome inner = merger(any(random)).merge(sources.subList(1, 3));
    sources.remove(1).release();
    sources.remove(1).release();
    sources.add(1, inner.segment());
    Outcome outer = merger(any(random)).merge(sources);
    sources.forEach(ImmutableSegment::release);
    assertThat(CellReading.readAll(outer.segment())).isEqualTo(union);
    outer.segment().release();
    memory.assertAllGivenBack();
  }

  @Test
  void aCompactionThatKeepsNothingMakesNoSegment() {
    List<ModelCell> markers = new ArrayList<>();
    for (int i = 1; i <= 500; i++) {
      markers.add(new ModelCell("row" + i, "", "q", 1, CellType.DELETE_COLUMN, i, ""));
    }
    sources.add(memory.flat(KeyPrefix.UNANCHORED, markers));
    long before = memory.account.usedBytes();
    Outcome outcome =
        merger(KeyPrefix.UNANCHORED)
            .compact(sources, new RetentionFilter(THREE_VERSIONS, 1000, 0, true), ROOM);
    assertThat(outcome).isEqualTo(new Outcome(null, 500, 500));
    assertThat(memory.account.usedBytes()).isEqualTo(before);
    sources.get(0).release();
    memory.assertAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void cancellationAtAnyStepGivesEverythingBack(int step) {
    makeSources(new Random(step), 5, 3000);
    assertThat(union).hasSizeGreaterThan(4 * 1024);
    long before = memory.account.usedBytes();
    int chunksBefore = memory.pool.chunksInUse();

    AtomicInteger merging = new AtomicInteger();
    assertThat(
            new SegmentMerger(
                    memory.as(layout),
                    KeyPrefix.UNANCHORED,
                    () -> merging.incrementAndGet() == step)
                .merge(sources))
        .isNull();
    AtomicInteger compacting = new AtomicInteger();
    assertThat(
            new SegmentMerger(
                    memory.as(layout),
                    KeyPrefix.UNANCHORED,
                    () -> compacting.incrementAndGet() == step)
                .compact(sources, new RetentionFilter(THREE_VERSIONS, 1 << 20, 0, false), ROOM))
        .isNull();

    assertThat(merging).hasValue(step);
    assertThat(compacting).hasValue(step);
    assertThat(memory.account.usedBytes()).isEqualTo(before);
    assertThat(memory.pool.chunksInUse()).isEqualTo(chunksBefore);
    assertThat(CellReading.readAll(sources)).isEqualTo(union);
    sources.forEach(ImmutableSegment::release);
    memory.assertAllGivenBack();
  }

  /** Of the older segment's cells the newer one replaces as many as given. */
  @ParameterizedTest
  @CsvSource({"40, true", "1900, false"})
  void survivorsMoveOnlyOutOfMemoryThatHoldsFewOfThem(int replaced, boolean staysShared) {
    List<ModelCell> older = new ArrayList<>();
    List<ModelCell> newer = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      older.add(ModelCell.put(String.format("row%06d", i), "q", 1, i + 1, "some value"));
      if (i < replaced) {
        newer.add(ModelCell.put(String.format("row%06d", i), "q", 2, 2001 + i, "another"));
      }
    }
    ImmutableSegment old = memory.immutable(layout, KeyPrefix.UNANCHORED, older);
    sources.add(memory.immutable(layout, KeyPrefix.UNANCHORED, newer));
    sources.add(old);
    Outcome outcome =
        merger(KeyPrefix.UNANCHORED)
            .compact(sources, new RetentionFilter(VersionRules.DEFAULT, 1 << 20, 0, false), ROOM);
    ImmutableSegment compacted = outcome.segment();
    assertThat(compacted.cellMemory().containsAll(old.cellMemory())).isEqualTo(staysShared);
    sources.forEach(ImmutableSegment::release);

    List<ModelCell> kept = new ArrayList<>(newer);
    kept.addAll(older.subList(replaced, 2000));
    assertThat(CellReading.readAll(compacted)).isEqualTo(SegmentFixture.sorted(kept));
    assertStats(compacted.stats(), SegmentContract.statsOf(kept));
    assertThat(compacted.heldBytes()).isEqualTo(memory.account.usedBytes());
    compacted.release();
    memory.assertAllGivenBack();
  }

  /** A filter that keeps the first cell of each column and must not be asked about any. */
  private static final CellFilter FIRSTS =
      new CellFilter() {
        @Override
        public boolean keeps(ByteBuffer buffer, int offset, int length, long sequence) {
          throw new AssertionError("a cell was looked at");
        }

        @Override
        public boolean keepsFirstAlone(long deleteMarkers, long maxSequence, long minTimestamp) {
          return deleteMarkers == 0;
        }
      };

  @Property(tries = 100)
  void whereOnlyFirstCellsAreKeptNoCellIsLookedAt(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 6) int segments,
      @ForAll @IntRange(min = 1, max = 700) int cellsMax,
      @ForAll boolean hasRoom) {
    makeSources(random, segments, cellsMax, true);
    List<ModelCell> firsts = new ArrayList<>();
    for (ModelCell cell : union) {
      if (firsts.isEmpty() || !firsts.get(firsts.size() - 1).sameColumn(cell)) {
        firsts.add(cell);
      }
    }
    // Twice, so that what was left out the first time is known the second time.
    for (int round = 0; round < 2; round++) {
      Outcome outcome = merger(any(random)).compact(sources, FIRSTS, () -> hasRoom ? 1L << 30 : 0);
      assertThat(outcome.columnsRead()).isEqualTo(firsts.size());
      sources.forEach(ImmutableSegment::release);
      sources.clear();
      sources.add(outcome.segment());
      assertThat(CellReading.readAll(sources)).isEqualTo(firsts);
      assertStats(outcome.segment().stats(), SegmentContract.statsOf(firsts));
      assertThat(outcome.segment().heldBytes()).isEqualTo(memory.account.usedBytes());
    }
    sources.get(0).release();
    memory.assertAllGivenBack();
  }

  /**
   * Counts and sequence numbers are exact; timestamps may range further than those of the cells.
   */
  private static void assertStats(SegmentStats stats, SegmentStats expected) {
    assertThat(stats.minTimestamp()).isLessThanOrEqualTo(expected.minTimestamp());
    assertThat(stats.maxTimestamp()).isGreaterThanOrEqualTo(expected.maxTimestamp());
    assertThat(stats)
        .usingRecursiveComparison()
        .ignoringFields("minTimestamp", "maxTimestamp")
        .isEqualTo(expected);
  }

  /** All but a few cells of both segments are replaced, but only one of them has room to move. */
  @Test
  void survivorsMoveOnlyAsFarAsThereIsRoom() {
    List<ModelCell> newest = new ArrayList<>();
    for (int segment = 0; segment < 2; segment++) {
      List<ModelCell> cells = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        cells.add(
            ModelCell.put("row" + segment + String.format("%06d", i), "q", 1, i + 1, "value"));
      }
      sources.add(memory.immutable(layout, KeyPrefix.UNANCHORED, cells));
      for (ModelCell cell : cells.subList(0, 900 + 50 * segment)) {
        newest.add(ModelCell.put(cell.row(), "q", 2, 0, "newer"));
      }
    }
    sources.add(
        0, memory.immutable(layout, KeyPrefix.UNANCHORED, SegmentFixture.numbered(newest, 1001)));
    long room = 50 * 60;
    long before = memory.account.usedBytes();
    ImmutableSegment compacted =
        merger(KeyPrefix.UNANCHORED)
            .compact(
                sources, new RetentionFilter(VersionRules.DEFAULT, 1 << 20, 0, false), () -> room)
            .segment();
    assertThat(compacted.cellMemory()).containsAll(sources.get(0).cellMemory());
    assertThat(compacted.cellMemory()).containsAll(sources.get(1).cellMemory());
    assertThat(compacted.cellMemory()).doesNotContainAnyElementsOf(sources.get(2).cellMemory());
    assertThat(compacted.cellCount()).isEqualTo(2000);
    long index = 2000L * FlatIndexLayout.ENTRY_BYTES + 2L * memory.pool.chunkBytes();
    assertThat(memory.account.usedBytes() - before)
        .isLessThan(room + index + 3L * memory.pool.chunkBytes());
    sources.forEach(ImmutableSegment::release);
    compacted.release();
    memory.assertAllGivenBack();
  }

  /** A flush to disk, or an error, ends a compaction whose sources stay in use. */
  @Test
  void aCompactionThatWasGivenUpLeavesNoTraceInTheMemoryOfItsSources() {
    List<ModelCell> older = new ArrayList<>();
    List<ModelCell> newer = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      older.add(ModelCell.put(String.format("row%06d", i), "q", 1, i + 1, "some value"));
      if (i < 600) {
        newer.add(ModelCell.put(String.format("row%06d", i), "q", 2, 1001 + i, "another"));
      }
    }
    sources.add(memory.immutable(layout, KeyPrefix.UNANCHORED, newer));
    sources.add(memory.immutable(layout, KeyPrefix.UNANCHORED, older));
    AtomicInteger asked = new AtomicInteger();
    SegmentMerger cancelled =
        new SegmentMerger(
            memory.as(layout), KeyPrefix.UNANCHORED, () -> asked.incrementAndGet() == 3);
    assertThat(cancelled.compact(sources, FIRSTS, () -> 0)).isNull();
    assertThat(asked).hasValue(3);

    ImmutableSegment compacted =
        merger(KeyPrefix.UNANCHORED).compact(sources, FIRSTS, () -> 0).segment();
    assertThat(compacted.cellMemory()).containsAll(sources.get(1).cellMemory());
    sources.forEach(ImmutableSegment::release);
    compacted.release();
    memory.assertAllGivenBack();
  }

  @Test
  void workThatFailsGivesEverythingBack() {
    makeSources(new Random(1), 3, 3000);
    long before = memory.account.usedBytes();
    int chunksBefore = memory.pool.chunksInUse();
    AtomicInteger asked = new AtomicInteger();
    SegmentMerger failing =
        new SegmentMerger(
            memory.as(layout),
            KeyPrefix.UNANCHORED,
            () -> {
              if (asked.incrementAndGet() % 2 == 0) {
                throw new IllegalStateException("in the middle");
              }
              return false;
            });
    assertThatIllegalStateException().isThrownBy(() -> failing.merge(sources));
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                failing.compact(
                    sources, new RetentionFilter(THREE_VERSIONS, 1 << 20, 0, false), ROOM));
    assertThat(memory.account.usedBytes()).isEqualTo(before);
    assertThat(memory.pool.chunksInUse()).isEqualTo(chunksBefore);
    sources.forEach(ImmutableSegment::release);
    memory.assertAllGivenBack();
  }

  /** Makes segments of any layouts, whose timestamps and types may let them precede each other. */
  private void makeSources(Random random, int segments, int cellsMax) {
    makeSources(random, segments, cellsMax, false);
  }

  private void makeSources(Random random, int segments, int cellsMax, boolean onlyFlatPuts) {
    sources.clear();
    union.clear();
    layout = onlyFlatPuts ? SegmentFixture.HEAP : anyLayout(random);
    boolean stampedByClock = random.nextBoolean();
    boolean onlyPuts = onlyFlatPuts || random.nextBoolean();
    long sequence = 1;
    for (int i = 0; i < segments; i++) {
      int count = cellsMax / 2 + 1 + random.nextInt(cellsMax);
      List<ModelCell> cells = SegmentFixture.randomCells(random, count, sequence);
      cells.replaceAll(
          cell ->
              new ModelCell(
                  cell.row(),
                  cell.family(),
                  cell.qualifier(),
                  stampedByClock ? cell.sequence() / 10 : cell.timestamp(),
                  onlyPuts ? CellType.PUT : cell.type(),
                  cell.sequence(),
                  cell.value()));
      sequence += count;
      SegmentLayout form = onlyFlatPuts ? layout : anyLayout(random);
      sources.add(0, memory.immutable(form, any(random), cells));
      union.addAll(cells);
    }
    union.sort(null);
  }

  private static SegmentLayout anyLayout(Random random) {
    return SegmentFixture.LAYOUTS.get(random.nextInt(SegmentFixture.LAYOUTS.size()));
  }

  private SegmentMerger merger(KeyPrefix keyPrefix) {
    return new SegmentMerger(memory.as(layout), keyPrefix, () -> false);
  }

  private static KeyPrefix any(Random random) {
    return PREFIXES.get(random.nextInt(PREFIXES.size()));
  }

  /** Seeks use the new prefixes, which reading in order does not. */
  private static void assertFinds(ImmutableSegment segment, Random random) {
    List<ModelCell> cells = CellReading.readAll(segment);
    MemoryCursor cursor = segment.cursor();
    for (int i = 0; i < 30; i++) {
      ModelCell key = cells.get(random.nextInt(cells.size()));
      assertThat(cursor.seek(key.encode(), 0)).isTrue();
      assertThat(CellReading.current(cursor).compareKey(key)).isZero();
    }
  }
}
