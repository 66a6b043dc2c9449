// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MemoryCursor;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentContract;
import io.accordiondb.memstore.segment.SegmentFixture;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.retention.FilteredCells;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.RetentionFilter;
import io.accordiondb.retention.VersionRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every segment that takes writes does beyond reading. */
abstract class MutableSegmentContract extends SegmentContract {
  /** In which order the cells of a test are inserted. */
  enum Arrival {
    SORTED,
    REVERSED,
    RANDOM,
    BATCHES_SORTED
  }

  abstract MutableSegment newSegment();

  @Override
  protected Segment segmentOf(List<ModelCell> cells) {
    MutableSegment segment = newSegment();
    SegmentFixture.insert(segment, cells, 7);
    return segment;
  }

  @Property(tries = 60)
  void takesCellsInAnyOrder(
      @ForAll Random random,
      @ForAll Arrival arrival,
      @ForAll @IntRange(min = 1, max = 1500) int count,
      @ForAll @IntRange(min = 1, max = 120) int batch) {
    List<ModelCell> cells = arrange(SegmentFixture.randomCells(random, count, 1), arrival, batch);
    MutableSegment segment = newSegment();
    TreeSet<ModelCell> model = new TreeSet<>();
    for (int from = 0; from < count; from += batch) {
      List<ModelCell> part = cells.subList(from, Math.min(count, from + batch));
      SegmentFixture.insert(segment, part, batch);
      model.addAll(part);
      assertThat(segment.cellCount()).isEqualTo(model.size());
    }
    assertThat(CellReading.readAll(segment)).isEqualTo(List.copyOf(model));
    segment.release();
    memory.assertAllGivenBack();
  }

  @Property(tries = 60)
  void flatteningKeepsWhatTheFilterKeeps(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 1500) int count) {
    List<ModelCell> cells = SegmentFixture.randomCells(random, count, 1);
    MutableSegment segment = newSegment();
    SegmentFixture.insert(segment, cells, 50);
    segment.seal();
    VersionRules rules = new VersionRules(2, 0, 3, KeepDeletedCells.FALSE);
    long smallestReadPoint = random.nextInt(count + 2);
    List<ModelCell> kept =
        new FilteredCells(cells)
            .compacted(new RetentionFilter(rules, smallestReadPoint, 5, true))
            .cells();
    ImmutableSegment flat =
        segment.flatten(
            memory.as(SegmentFixture.HEAP),
            KeyPrefix.UNANCHORED,
            false,
            new RetentionFilter(rules, smallestReadPoint, 5, true));
    segment.release();
    if (kept.isEmpty()) {
      assertThat(flat).isNull();
    } else {
      assertThat(CellReading.readAll(flat)).isEqualTo(kept);
      assertThat(flat.stats()).isEqualTo(SegmentContract.statsOf(kept));
      assertThat(flat.columnCount()).isEqualTo(SegmentFixture.columnsOf(kept));
      assertThat(flat.heldBytes()).isEqualTo(memory.account.usedBytes());
      assertThat(flat.heapBytes()).isEqualTo(memory.account.usedBytes(MemoryKind.HEAP));
      flat.release();
    }
    memory.assertAllGivenBack();
  }

  private static List<ModelCell> arrange(List<ModelCell> cells, Arrival arrival, int batch) {
    List<ModelCell> arranged = SegmentFixture.sorted(cells);
    switch (arrival) {
      case SORTED -> {}
      case REVERSED -> Collections.reverse(arranged);
      case RANDOM -> arranged = cells;
      case BATCHES_SORTED -> {
        arranged = new ArrayList<>(cells);
        for (int from = 0; from < cells.size(); from += batch) {
          Collections.sort(arranged.subList(from, Math.min(cells.size(), from + batch)));
        }
      }
    }
    return SegmentFixture.numbered(arranged, 1);
  }

  @Test
  void anEmptySegmentHasNothingAndTakesNoMemory() {
    MutableSegment segment = newSegment();
    ByteBuffer key = ModelCell.firstOfRow("r").encode();
    MemoryCursor cursor = segment.cursor();
    assertThat(cursor.seekToFirst()).isFalse();
    assertThat(cursor.seek(key, 0)).isFalse();
    assertThat(cursor.seekBefore(key, 0)).isFalse();
    assertThat(cursor.isValid()).isFalse();
    assertThat(segment.stats()).isEqualTo(SegmentStats.EMPTY);
    assertThat(segment.heldBytes()).isZero();
    assertThat(segment.isFull()).isFalse();
    memory.assertAllGivenBack();
    segment.release();
    memory.assertAllGivenBack();
  }

  @Test
  void insertReadsNeitherBeforeNorBehindItsCells() {
    List<ModelCell> cells =
        List.of(
            ModelCell.put("a", "q", 1, 5, "before"),
            ModelCell.put("b", "q", 1, 6, "in"),
            ModelCell.put("c", "q", 1, 7, "in"),
            ModelCell.put("d", "q", 1, 8, "behind"));
    MutableSegment segment = newSegment();
    int inserted =
        segment.insert(ModelCell.encode(cells), cells.get(0).length(), 2, 6, BatchFormat.NUMBERED);
    assertThat(inserted).isEqualTo(2);
    assertThat(CellReading.readAll(segment)).isEqualTo(cells.subList(1, 3));
    segment.release();
  }

  @Test
  void sealingKeepsWritersOutAndWaitsForThoseInside() {
    MutableSegment segment = newSegment();
    assertThat(segment.enter()).isTrue();
    assertThat(segment.isQuiescent()).isFalse();
    segment.seal();
    assertThat(segment.enter()).isFalse();
    assertThat(segment.isQuiescent()).isFalse();
    segment.insert(ModelCell.put("r", "q", 1, 1, "v").encode(), 0, 1, 1, BatchFormat.NUMBERED);
    segment.exit();
    assertThat(segment.isQuiescent()).isTrue();
    segment.seal();
    assertThat(segment.enter()).isFalse();
    assertThat(segment.isQuiescent()).isTrue();
    assertThat(segment.cellCount()).isEqualTo(1);
    segment.release();
  }

  /** Neighbours and equal keys from all writers, so that they meet at the same links. */
  @Test
  @Timeout(60)
  void writersAndReadersAtOnce() throws Exception {
    for (int round = 0; round < 6; round++) {
      new ConcurrentRound(newSegment(), round).run();
      memory.assertAllGivenBack();
    }
  }

  /** Four writers and two readers on one segment. */
  private static final class ConcurrentRound {
    private static final int WRITERS = 4;
    private static final int CELLS_EACH = 12_000;
    private static final int BATCH = 25;

    private final MutableSegment segment;
    private final int round;
    private final AtomicIntegerArray published = new AtomicIntegerArray(WRITERS);
    private final AtomicInteger writing = new AtomicInteger(WRITERS);
    private final CyclicBarrier start = new CyclicBarrier(WRITERS + 2);

    ConcurrentRound(MutableSegment segment, int round) {
      this.segment = segment;
      this.round = round;
    }

    void run() throws Exception {
      ExecutorService executor = Executors.newFixedThreadPool(WRITERS + 2);
      List<Future<?>> results = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int number = writer;
        results.add(executor.submit(() -> write(number)));
      }
      results.add(executor.submit(() -> read(new Random(round))));
      results.add(executor.submit(() -> read(new Random(-round))));
      executor.shutdown();
      for (Future<?> result : results) {
        result.get();
      }
      assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      List<ModelCell> all = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        all.addAll(cellsOf(writer));
      }
      Collections.sort(all);
      assertThat(CellReading.readAll(segment)).isEqualTo(all);
      assertThat(segment.stats()).isEqualTo(statsOf(all));
      segment.release();
    }

    private Void write(int writer) throws Exception {
      List<ModelCell> cells = cellsOf(writer);
      start.await();
      for (int from = 0; from < CELLS_EACH; from += BATCH) {
        SegmentFixture.insert(segment, cells.subList(from, from + BATCH), BATCH);
        published.set(writer, from + BATCH);
      }
      writing.decrementAndGet();
      return null;
    }

    private List<ModelCell> cellsOf(int writer) {
      Random random = new Random(31L * round + writer);
      List<ModelCell> cells = new ArrayList<>();
      for (int i = 0; i < CELLS_EACH; i++) {
        // Even rounds ascend, side by side with the other writers; odd ones jump.
        String row =
            round % 2 == 0
                ? String.format("row%08d", i / 3)
                : String.format("row%08d", random.nextInt(2000));
        cells.add(ModelCell.put(row, "q", i % 2, (long) writer * CELLS_EACH + i + 1, ""));
      }
      return cells;
    }

    private Void read(Random random) throws Exception {
      start.await();
      while (writing.get() > 0) {
        int[] expected = new int[WRITERS];
        for (int writer = 0; writer < WRITERS; writer++) {
          expected[writer] = published.get(writer);
        }
        readAllInOrder(expected);
        for (int i = 0; i < 50; i++) {
          seekSomewhere(String.format("row%08d", random.nextInt(4000)));
        }
      }
      return null;
    }

    private void readAllInOrder(int[] expected) {
      int[] seen = new int[WRITERS];
      ModelCell last = null;
      MemoryCursor cursor = segment.cursor();
      for (boolean valid = cursor.seekToFirst(); valid; valid = cursor.next()) {
        ModelCell cell = CellReading.current(cursor);
        assertThat(last == null || last.compareTo(cell) < 0).as("%s, %s", last, cell).isTrue();
        last = cell;
        int index = (int) (cell.sequence() - 1) % CELLS_EACH;
        int writer = (int) (cell.sequence() - 1) / CELLS_EACH;
        if (index < expected[writer]) {
          seen[writer]++;
        }
      }
      assertThat(seen).isEqualTo(expected);
    }

    private void seekSomewhere(String row) {
      ModelCell key = ModelCell.firstOfRow(row);
      MemoryCursor cursor = segment.cursor();
      if (cursor.seek(key.encode(), 0)) {
        assertThat(CellReading.current(cursor)).isGreaterThan(key);
      }
      if (cursor.seekBefore(key.encode(), 0)) {
        assertThat(CellReading.current(cursor)).isLessThan(key);
      }
    }
  }
}
