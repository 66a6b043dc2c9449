// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.EncodedCells;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.memstore.segment.SegmentFixture;
import io.accordiondb.retention.VersionRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The shortest and longest cells, among them some of many chunks, and the outermost numbers. */
class ExtremeCellsTest implements MemStoreListener {
  private static final String LONGEST = "r".repeat(KeyValueLayout.ROW_BYTES_MAX);
  private static final List<String> ROWS =
      List.of("", "\0", "a", LONGEST, LONGEST.substring(1) + "s", "\u00ff");
  private static final List<String> QUALIFIERS = List.of("", "\0", "q".repeat(70_000));
  private static final long[] SEQUENCES = {0, 1, Long.MAX_VALUE - 2, Long.MAX_VALUE - 1};

  private final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
  private final MemoryBudget budget = new MemoryBudget(1 << 28);
  private final List<Throwable> failures = new ArrayList<>();

  @Override
  public void onFailure(Throwable failure) {
    failures.add(failure);
  }

  static Stream<Arguments> policiesAndLayouts() {
    return Stream.of(Policy.values())
        .flatMap(
            policy -> SegmentFixture.LAYOUTS.stream().map(layout -> Arguments.of(policy, layout)));
  }

  @ParameterizedTest
  @MethodSource("policiesAndLayouts")
  void theNewestOfEachColumnIsLeftAndAllMemoryComesBack(Policy policy, SegmentLayout layout) {
    MemStore store = open(policy, layout);
    List<ModelCell> added = cells();
    for (int i = 0; i < added.size(); i++) {
      ModelCell cell = added.get(i);
      store.add(cell.encode(), 0, 1, cell.sequence());
      if (i % 5 == 4) {
        store.flushInMemory();
      }
    }
    store.flushInMemory();
    assertThat(failures).isEmpty();
    try (MemStoreView view = store.view()) {
      assertThat(CellReading.readAll(view.sources())).containsAll(newestOf(added));
    }
    assertThat(store.oldestSequence()).isZero();
    store.snapshot();
    store.clearSnapshot();
    assertThat(store.oldestSequence()).isEqualTo(Long.MAX_VALUE);
    assertThat(store.usedBytes()).isZero();
    store.close();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  private static List<ModelCell> cells() {
    List<ModelCell> cells = new ArrayList<>();
    for (String row : ROWS) {
      for (String qualifier : QUALIFIERS) {
        cells.add(ModelCell.put(row, qualifier, 0, 0, ""));
        cells.add(ModelCell.put(row, qualifier, Long.MAX_VALUE - 1, 0, "v".repeat(70_000)));
      }
      String family = "f".repeat(KeyValueLayout.FAMILY_BYTES_MAX);
      cells.add(new ModelCell(row, family, "x", 5, CellType.PUT, 0, ""));
    }
    for (int i = 0; i < cells.size(); i++) {
      cells.set(i, cells.get(i).withSequence(SEQUENCES[i % SEQUENCES.length]));
    }
    return cells;
  }

  private static List<ModelCell> newestOf(List<ModelCell> cells) {
    List<ModelCell> newest = new ArrayList<>();
    for (ModelCell cell : SegmentFixture.sorted(cells)) {
      if (newest.isEmpty() || !newest.get(newest.size() - 1).sameColumn(cell)) {
        newest.add(cell);
      }
    }
    return newest;
  }

  @Test
  void sequenceNumbersThatNoCellCanHaveAreRefused() {
    MemStore store = open(Policy.EAGER, SegmentLayout.DEFAULT);
    ByteBuffer two =
        ModelCell.encode(
            List.of(ModelCell.put("a", "q", 1, 0, "v"), ModelCell.put("b", "q", 1, 0, "v")));
    for (long first : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.add(two, 0, 2, first))
          .withMessageContaining("sequence numbers are " + first + " to ");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  store.prepare(List.of(new EncodedCells(two, 0, 2, first, BatchFormat.NUMBERED))));
    }
    assertThat(store.usedBytes()).isZero();
    store.add(two, 0, 2, Long.MAX_VALUE - 2);
    assertThat(store.oldestSequence()).isEqualTo(Long.MAX_VALUE - 2);
    store.close();
  }

  private MemStore open(Policy policy, SegmentLayout layout) {
    return new MemStore(
        new MemStoreOptions(
            MemStorePolicy.of(policy).withPipelineSegmentsMax(1),
            VersionRules.DEFAULT,
            1 << 20,
            layout),
        new MemStoreEnvironment(
            Runnable::run, () -> 0, () -> Long.MAX_VALUE, new Random(1), pool, budget, this));
  }
}
