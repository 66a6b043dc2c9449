// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a memory store is charged is what its structures take, object by object. */
@Tag("slow")
class MemoryAccountTest {
  private static final int BATCHES = 300;
  private static final int BATCH = 50;
  private static final int ROWS = 4000;

  private final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
  private final MemoryBudget budget = new MemoryBudget(1 << 30);
  private final Random random = new Random(7);
  private long sequence;

  static Stream<Arguments> layoutsAndPolicies() {
    List<Arguments> all = new ArrayList<>();
    for (CellMemory cells : CellMemory.values()) {
      for (IndexKind index : IndexKind.values()) {
        if (cells != CellMemory.OBJECTS || index != IndexKind.CHUNK) {
          for (Policy policy : Policy.values()) {
            all.add(Arguments.of(SegmentLayout.of(cells, index), policy));
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("layoutsAndPolicies")
  void accountIsWhatAWalkFinds(SegmentLayout layout, Policy policy) throws Exception {
    MemStore store =
        new MemStore(
            new MemStoreOptions(
                MemStorePolicy.of(policy).withPipelineSegmentsMax(3),
                VersionRules.DEFAULT,
                1 << 20,
                layout),
            new MemStoreEnvironment(
                Runnable::run,
                () -> 0,
                () -> sequence,
                random,
                pool,
                budget,
                MemStoreListener.NONE));
    for (int batch = 1; batch <= BATCHES; batch++) {
      addBatch(store);
      if (batch % 10 == 0) {
        assertAccountIsExact(store);
      }
      if (batch % 60 == 0) {
        store.snapshot();
        addBatch(store);
        assertAccountIsExact(store);
        store.clearSnapshot();
        assertAccountIsExact(store);
      }
    }
    store.close();
    assertThat(store.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  /** Adds cells of different rows, some of them larger than a chunk. */
  private void addBatch(MemStore store) {
    List<ModelCell> cells = new ArrayList<>();
    long first = sequence + 1;
    for (int i = 0; i < BATCH; i++) {
      sequence++;
      int bytes = random.nextInt(500) == 0 ? 10_000 : random.nextInt(100);
      String row = "row" + random.nextInt(ROWS);
      cells.add(ModelCell.put(row, "q", sequence, sequence, "v".repeat(bytes)));
    }
    store.add(ModelCell.encode(cells), 0, BATCH, first);
  }

  private void assertAccountIsExact(MemStore store) throws ReflectiveOperationException {
    SegmentList list = store.segments().retain();
    try {
      MemoryWalk walk = new MemoryWalk();
      for (Segment segment : list.all()) {
        walk.add(segment);
      }
      MemStoreStatistics charged = store.statistics();
      assertThat(walk.heapBytes()).isEqualTo(charged.heapBytes());
      assertThat(walk.offHeapBytes()).isEqualTo(charged.offHeapBytes());
      assertThat(walk.chunks()).isEqualTo(pool.chunksInUse());
      assertThat(budget.usedBytes()).isEqualTo(charged.usedBytes());
      assertThat(list.all().stream().mapToLong(Segment::cellCount).sum())
          .isEqualTo(charged.cells());
    } finally {
      list.release();
    }
  }
}
