// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.Readers;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** AUTO on a memory store whose in-memory flushes the test makes. */
class AutoPlannerTest implements MemStoreListener {
  private static final int ROWS_OF_A_FLUSH = 2000;

  private final ChunkPool pool = new ChunkPool(1 << 15, 1 << 30);
  private final MemoryBudget budget = new MemoryBudget(1 << 28);
  private final List<String> events = new ArrayList<>();
  private Readers readers = () -> Long.MAX_VALUE;
  private VersionRules rules = VersionRules.DEFAULT;
  private MemStore store;
  private long lastSequence;
  private long cellsRead;

  @Override
  public void onMerge(PipelineChange merge) {
    events.add("merged " + merge.segments());
    cellsRead += merge.cellsRead();
  }

  @Override
  public void onCompaction(PipelineChange compaction) {
    events.add("compacted " + compaction.segments());
    cellsRead += compaction.cellsRead();
  }

  private void open() {
    MemStorePolicy policy =
        MemStorePolicy.of(Policy.AUTO).withActiveFraction(1).withPipelineSegmentsMax(3);
    store =
        new MemStore(
            new MemStoreOptions(policy, rules, 1 << 24),
            new MemStoreEnvironment(
                Runnable::run, () -> 0, readers, new Random(1), pool, budget, this));
  }

  /** Adds one put each to some rows and flushes in memory. */
  private void flush(IntUnaryOperator row) {
    flush(row, CellType.PUT);
  }

  /** Adds one cell each to some rows and flushes in memory. */
  private void flush(IntUnaryOperator row, CellType type) {
    int[] rows = new int[ROWS_OF_A_FLUSH];
    Arrays.setAll(rows, row);
    Arrays.sort(rows);
    List<ModelCell> cells = new ArrayList<>();
    for (int number : rows) {
      lastSequence++;
      String name = String.format("row%09d", number);
      String value = type == CellType.PUT ? "v" : "";
      cells.add(new ModelCell(name, "", "q", lastSequence, type, lastSequence, value));
    }
    store.add(ModelCell.encode(cells), 0, cells.size(), lastSequence - cells.size() + 1);
    store.flushInMemory();
  }

  @AfterEach
  void close() {
    store.close();
    assertThat(store.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  @Test
  void differentKeysAreMergedAndFewAtATime() {
    open();
    for (int i = 0; i < 12; i++) {
      int first = i * ROWS_OF_A_FLUSH;
      flush(row -> first + row);
    }
    assertThat(events).isNotEmpty().allMatch(event -> event.startsWith("merged"));
    assertThat(events).anyMatch(event -> !event.equals("merged 4"));
    assertThat(store.statistics().pipelineSegments()).isLessThanOrEqualTo(3);
    assertThat(store.statistics().cells()).isEqualTo(12L * ROWS_OF_A_FLUSH);
  }

  @Test
  void keysWrittenOverAndOverAreCompacted() {
    open();
    for (int i = 0; i < 4; i++) {
      flush(row -> row);
    }
    assertThat(events).containsExactly("compacted 4");
    assertThat(store.statistics().cells()).isEqualTo(ROWS_OF_A_FLUSH);
  }

  /** The oldest segment has nothing in common with the others, so it is left alone. */
  @Test
  void aSegmentThatCompactingDoesNotShrinkIsLeftOut() {
    open();
    for (int i = 0; i < 4; i++) {
      int first = i == 0 ? 1_000_000 : 0;
      flush(row -> first + row);
    }
    assertThat(events).containsExactly("compacted 3");
  }

  /** A reader at 0, and all later ones at the newest cell. */
  private Readers aSnapshot() {
    return new Readers() {
      @Override
      public long smallestReadPoint() {
        return 0;
      }

      @Override
      public ReadPointSet readPoints() {
        return ReadPointSet.of(new long[] {0}, lastSequence);
      }
    };
  }

  @Test
  void whatWasOverwrittenSinceASnapshotIsDropped() {
    readers = aSnapshot();
    open();
    for (int i = 0; i < 4; i++) {
      flush(row -> row);
    }
    assertThat(events).containsExactly("compacted 4");
    assertThat(store.statistics().cells()).isEqualTo(ROWS_OF_A_FLUSH);
  }

  @Test
  void aSnapshotMakesCompactingUselessWhereSeveralVersionsAreKept() {
    rules = new VersionRules(2, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE);
    readers = aSnapshot();
    open();
    for (int i = 0; i < 12; i++) {
      flush(row -> row);
    }
    assertThat(events).allMatch(event -> event.startsWith("merged")).isNotEmpty();
    assertThat(store.statistics().cells()).isEqualTo(12L * ROWS_OF_A_FLUSH);
  }

  /** Delete markers that a reader does not see are kept, so they are not copied again and again. */
  @Test
  void markersWrittenSinceASnapshotAreLeftOut() {
    readers = aSnapshot();
    open();
    int rounds = 120;
    for (int i = 0; i < rounds; i++) {
      flush(row -> row);
      flush(row -> row, CellType.DELETE_COLUMN);
    }
    assertThat(cellsRead).isLessThan(10L * rounds * 2 * ROWS_OF_A_FLUSH);
  }

  @Test
  void anOpenSnapshotMakesCompactingUselessIfOnlyItIsKnown() {
    readers = () -> 0;
    open();
    for (int i = 0; i < 4; i++) {
      flush(row -> row);
    }
    assertThat(events).allMatch(event -> event.startsWith("merged")).isNotEmpty();
  }

  @Test
  void versionsThatAreKeptDoNotCountAsGain() {
    rules = new VersionRules(10, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE);
    open();
    for (int i = 0; i < 4; i++) {
      flush(row -> row);
    }
    assertThat(events).allMatch(event -> event.startsWith("merged")).isNotEmpty();
  }
}
