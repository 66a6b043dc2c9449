// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.retention.FilteredCells;
import io.accordiondb.retention.ReadRequest;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A delete between two writes to one column, of which the later has the older timestamp: what is
 * left is the later one, also where writers overtake each other while their segment is sealed.
 */
class OvertakenMarkerTest {
  private static final ModelCell NEWER = ModelCell.put("row", "q", 10, 1, "deleted");
  private static final ModelCell MARKER =
      new ModelCell("row", "", "q", 10, CellType.DELETE_COLUMN, 2, "");
  private static final ModelCell OLDER = ModelCell.put("row", "q", 5, 3, "left");

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final MemStore store =
      new MemStore(
          new MemStoreOptions(MemStorePolicy.of(Policy.EAGER), VersionRules.DEFAULT, 1 << 20),
          new MemStoreEnvironment(
              tasks::add,
              () -> 0,
              () -> OLDER.sequence(),
              new Random(1),
              new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30),
              new MemoryBudget(1 << 30),
              MemStoreListener.NONE));

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aMarkerInANewerSegment() {
    add(NEWER);
    add(OLDER);
    store.flushInMemory();
    add(MARKER);
    flattenAndCheck();
  }

  @Test
  void aMarkerInAnOlderSegment() {
    add(MARKER);
    store.flushInMemory();
    add(NEWER);
    add(OLDER);
    // Writers flatten what they have sealed while older segments are waiting to be.
    store.flushInMemory();
    flattenAndCheck();
  }

  private void flattenAndCheck() {
    assertShowsTheLastWrite();
    while (!tasks.isEmpty()) {
      tasks.remove().run();
      assertShowsTheLastWrite();
    }
  }

  private void assertShowsTheLastWrite() {
    try (MemStoreView view = store.view()) {
      assertThat(
              new FilteredCells(CellReading.readAll(view.sources()))
                  .read(VersionRules.DEFAULT, ReadRequest.allAt(OLDER.sequence(), 0)))
          .containsExactly(OLDER);
    }
  }

  private void add(ModelCell cell) {
    store.add(cell.encode(), 0, 1, cell.sequence());
  }
}
