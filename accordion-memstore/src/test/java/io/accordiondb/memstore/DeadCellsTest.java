// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a memory store does when readers report dead cells, with background work done at once. */
class DeadCellsTest {
  private static final byte[] NO_BOUND = {};

  private final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);
  private final List<Throwable> failures = new ArrayList<>();
  private long smallestReadPoint = Long.MAX_VALUE;
  private long lastSequence;
  private MemStore store;

  @AfterEach
  void close() {
    store.close();
    assertThat(pool.chunksInUse()).isZero();
    assertThat(failures).isEmpty();
  }

  @Test
  void deletedCellsOfTheActiveSegmentAreDropped() {
    open(Policy.ADAPTIVE);
    addRows(0, 100);
    deleteRange();
    addRows(100, 10);
    passDeleted(64);
    assertThat(store.statistics().cells()).isEqualTo(10);
    assertThat(store.statistics().compactions()).isEqualTo(1);
  }

  @Test
  void deletedCellsOfThePipelineAreDroppedAndTheActiveSegmentStays() {
    open(Policy.EAGER);
    addRows(0, 100);
    store.flushInMemory();
    deleteRange();
    addRows(100, 10);
    passDeleted(100);
    MemStoreStatistics statistics = store.statistics();
    assertThat(statistics.cells()).isEqualTo(10);
    assertThat(statistics.active().cells()).isEqualTo(10);
    assertThat(statistics.inMemoryFlushes()).isEqualTo(1);
  }

  @Test
  void fewDeadCellsAmongManyAreNotWorthACompaction() {
    // Without the report it would leave the pipeline alone.
    open(MemStorePolicy.of(Policy.ADAPTIVE).withPipelineSegmentsMax(30));
    addRows(0, 64);
    store.flushInMemory();
    deleteRange();
    addRows(100, 5_000);
    store.flushInMemory();
    passDeleted(64);
    assertThat(store.statistics().cells()).isEqualTo(5_064);
    passDeleted(256);
    assertThat(store.statistics().cells()).isEqualTo(5_000);
  }

  @Test
  void nothingHappensWhileAReaderDoesNotSeeTheTombstone() {
    open(Policy.ADAPTIVE);
    addRows(0, 100);
    smallestReadPoint = lastSequence;
    deleteRange();
    passDeleted(100);
    assertThat(store.statistics().inMemoryFlushes()).isZero();
    smallestReadPoint = lastSequence;
    passDeleted(100);
    assertThat(store.statistics().cells()).isZero();
  }

  @Test
  void manyMarkersThatAreReportedAreCombined() {
    open(Policy.ADAPTIVE);
    deleteOften(63);
    pass();
    assertThat(store.statistics().inMemoryFlushes()).isZero();
    deleteOften(1);
    pass();
    assertThat(store.statistics().cells()).isEqualTo(1);
  }

  @Test
  void markersThatAReaderDoesNotSeeSealNoSegment() {
    open(Policy.ADAPTIVE);
    smallestReadPoint = lastSequence;
    deleteOften(100);
    pass();
    assertThat(store.statistics().inMemoryFlushes()).isZero();
  }

  /** The pipeline is copied now and then for each segment that is sealed. */
  @Test
  void theMoreCellsAreInThePipelineTheMoreMarkersAreWaitedFor() {
    open(MemStorePolicy.of(Policy.ADAPTIVE).withPipelineSegmentsMax(30));
    addRows(0, 256 * 100);
    store.flushInMemory();
    deleteOften(99);
    pass();
    assertThat(store.statistics().inMemoryFlushes()).isEqualTo(1);
    deleteOften(1);
    pass();
    assertThat(store.statistics().inMemoryFlushes()).isEqualTo(2);
  }

  /** An older file may hold the rows, so a compaction keeps the markers. */
  @Test
  void markersThatACompactionHasKeptDoNotCauseTheNextOne() {
    open(MemStorePolicy.of(Policy.ADAPTIVE).withPipelineSegmentsMax(30));
    deleteRows(0, 100);
    pass();
    assertThat(store.statistics().compactions()).isEqualTo(1);
    assertThat(store.statistics().cells()).isEqualTo(100);
    deleteRows(100, 70);
    pass();
    assertThat(store.statistics().compactions()).isEqualTo(1);
    deleteRows(170, 70);
    pass();
    assertThat(store.statistics().compactions()).isEqualTo(2);
  }

  @Test
  void basicKeepsThemAndNoneHasNoPipeline() {
    for (Policy policy : List.of(Policy.BASIC, Policy.NONE)) {
      open(policy);
      addRows(0, 100);
      deleteRange();
      passDeleted(100);
      assertThat(store.statistics().cells()).isEqualTo(100);
      assertThat(store.statistics().pipelineSegments()).isEqualTo(policy == Policy.BASIC ? 1 : 0);
      store.close();
    }
    open(Policy.BASIC);
  }

  @Test
  void cellsOfASnapshotAreTheFlushsToDrop() {
    open(Policy.ADAPTIVE);
    addRows(0, 100);
    deleteRange();
    store.snapshot();
    addRows(100, 100);
    passDeleted(100);
    assertThat(store.statistics().inMemoryFlushes()).isZero();
    store.clearSnapshot();
  }

  /** A reader may report cells of memory that a flush has taken meanwhile. */
  @Test
  void nothingIsLeftToDropOfAnEmptyPipeline() {
    open(Policy.ADAPTIVE);
    addRows(0, 100);
    store.snapshot();
    deleteRange();
    passDeleted(100);
    assertThat(store.statistics().compactions()).isZero();
    store.clearSnapshot();
  }

  private void open(Policy policy) {
    open(MemStorePolicy.of(policy));
  }

  private void open(MemStorePolicy policy) {
    store =
        new MemStore(
            new MemStoreOptions(policy, VersionRules.DEFAULT, 1 << 20),
            new MemStoreEnvironment(
                Runnable::run,
                () -> 0,
                () -> smallestReadPoint,
                new Random(1),
                pool,
                new MemoryBudget(1 << 28),
                new MemStoreListener() {
                  @Override
                  public void onFailure(Throwable failure) {
                    failures.add(failure);
                  }
                }));
  }

  /** Adds one cell to each of some rows. */
  private void addRows(int first, int count) {
    List<ModelCell> cells = new ArrayList<>();
    for (int row = first; row < first + count; row++) {
      lastSequence++;
      cells.add(ModelCell.put(String.format("row%04d", row), "q", lastSequence, lastSequence, "v"));
    }
    store.add(ModelCell.encode(cells), 0, count, lastSequence - count + 1);
  }

  /** Deletes one column again and again. */
  private void deleteOften(int times) {
    for (int i = 0; i < times; i++) {
      deleteRows(0, 1);
    }
  }

  /** Deletes a column of each of some rows. */
  private void deleteRows(int first, int count) {
    for (int row = first; row < first + count; row++) {
      lastSequence++;
      ModelCell marker =
          new ModelCell(
              String.format("row%04d", row),
              "",
              "q",
              lastSequence,
              CellType.DELETE_COLUMN,
              lastSequence,
              "");
      store.add(ModelCell.encode(List.of(marker)), 0, 1, lastSequence);
    }
  }

  private void pass() {
    try (MemStoreView view = store.view()) {
      view.noteDeadCells();
    }
  }

  /** Deletes all that is there. */
  private void deleteRange() {
    store.deleteRange(new RangeTombstone(NO_BOUND, NO_BOUND, ++lastSequence));
  }

  private void passDeleted(int cells) {
    try (MemStoreView view = store.view()) {
      view.noteDeletedCells(cells);
    }
  }
}
