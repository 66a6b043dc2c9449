// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.SharedMemory;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MemoryCursor;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentContract;
import io.accordiondb.memstore.segment.SegmentFixture;
import io.accordiondb.memstore.segment.active.SkipListSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlatSegmentTest extends SegmentContract {
  private static final int ENTRIES_PER_CHUNK = 4096 / FlatIndexLayout.ENTRY_BYTES;

  @Override
  protected Segment segmentOf(List<ModelCell> cells) {
    // The anchor fits some of the rows, so that prefixes of all kinds occur.
    return memory.flat(SegmentFixture.anchoredAt("user/"), cells);
  }

  /** Sizes at which the last index chunk is full, or holds one entry. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, ENTRIES_PER_CHUNK - 1, ENTRIES_PER_CHUNK, ENTRIES_PER_CHUNK + 1})
  void everyCellIsFoundAroundTheEndOfAnIndexChunk(int count) throws IOException {
    checkEveryCell(count);
    checkEveryCell(2 * ENTRIES_PER_CHUNK + count);
  }

  /** Two columns a row, so that two entries have the same prefix wherever they are. */
  private void checkEveryCell(int count) throws IOException {
    List<ModelCell> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String row = String.format("row%06d", i - i % 2);
      cells.add(ModelCell.put(row, i % 2 == 0 ? "a" : "b", 1, i + 1, "v" + i));
    }
    FlatSegment segment = memory.flat(KeyPrefix.UNANCHORED, cells);
    MemoryCursor cursor = segment.cursor();
    for (int i = 0; i < count; i++) {
      ModelCell cell = cells.get(i);
      checkFind(segment, cells, cell);
      checkSeeks(cursor, cells, cell);
      checkSeeks(cursor, cells, ModelCell.firstOfRow(String.format("row%06d", i + 1)));
    }
    segment.release();
    memory.assertAllGivenBack();
  }

  @Test
  void rowsOutsideItsRangeAreRuledOut() {
    FlatSegment segment =
        memory.flat(
            KeyPrefix.UNANCHORED,
            List.of(
                ModelCell.put("b", "q", 1, 1, "v"),
                ModelCell.put("d", "q", 1, 2, "v"),
                ModelCell.put("c", "q", 1, 3, "v")));
    assertThat(mayContain(segment, "a")).isFalse();
    assertThat(mayContain(segment, "")).isFalse();
    assertThat(mayContain(segment, "b")).isTrue();
    assertThat(mayContain(segment, "bb")).isTrue();
    assertThat(mayContain(segment, "d")).isTrue();
    assertThat(mayContain(segment, "da")).isFalse();
    segment.release();
  }

  @Test
  void fittingPrefixSkipsWhatAllRowsShare() {
    FlatSegment segment =
        memory.flat(
            KeyPrefix.UNANCHORED,
            List.of(
                ModelCell.put("user/17", "q", 1, 1, "v"),
                ModelCell.put("user/2", "q", 1, 2, "v"),
                ModelCell.put("user/199", "q", 1, 3, "v")));
    assertThat(segment.fittingPrefix()).isEqualTo(SegmentFixture.anchoredAt("user/"));
    segment.release();
  }

  @Test
  void fittingPrefixIsThatOfMostRows() {
    List<ModelCell> cells = new ArrayList<>();
    cells.add(ModelCell.put("a", "q", 1, 1, "v"));
    for (int row = 100; row < 300; row++) {
      cells.add(ModelCell.put("user/" + row, "q", 1, row, "v"));
    }
    cells.add(ModelCell.put("zz", "q", 1, 300, "v"));
    FlatSegment segment = memory.flat(KeyPrefix.UNANCHORED, cells);
    assertThat(segment.fittingPrefix()).isEqualTo(SegmentFixture.anchoredAt("user/"));
    segment.release();
  }

  @Test
  void flatteningCopiesTheCellsAndDropsTheLinks() {
    SkipListSegment source = memory.skipList(KeyPrefix.UNANCHORED);
    SegmentFixture.insert(source, List.of(ModelCell.put("r", "q", 1, 1, "v")), 1);
    source.seal();
    ImmutableSegment flat =
        source.flatten(memory.as(SegmentFixture.HEAP), KeyPrefix.UNANCHORED, false, null);
    long both = memory.account.usedBytes();
    // Two chunks of cells, one chunk of index, one block of links.
    assertThat(memory.pool.chunksInUse()).isEqualTo(3);
    source.release();
    assertThat(both - memory.account.usedBytes())
        .isEqualTo(ChunkPool.LINK_BLOCK_BYTES + memory.pool.chunkBytes());
    assertThat(flat.heldBytes()).isEqualTo(memory.account.usedBytes());
    assertThat(memory.pool.chunksInUse()).isEqualTo(2);
    flat.release();
    memory.assertAllGivenBack();
  }

  @Test
  void aBuilderWithoutMemoryReleasesOnlyWhatItHolds() {
    FlatSegment source =
        memory.flat(KeyPrefix.UNANCHORED, List.of(ModelCell.put("r", "q", 1, 1, "v")));
    SharedMemory cells = source.cellMemory().get(0);
    FlatSegmentBuilder builder =
        new FlatSegmentBuilder(memory.as(SegmentFixture.HEAP), KeyPrefix.UNANCHORED);
    builder.share(cells);
    builder.share(cells);
    Starved starved = new Starved();
    assertThatThrownBy(() -> builder.share(starved)).isInstanceOf(OutOfMemoryError.class);
    builder.abandon();
    assertThat(starved.releases).isZero();
    assertThat(CellReading.readAll(source)).hasSize(1);
    source.release();
    memory.assertAllGivenBack();
  }

  /** Memory that others hold, and for whose next holder there is no memory. */
  private static final class Starved implements SharedMemory {
    int releases;

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public long heapBytes() {
      return 0;
    }

    @Override
    public void retain() {
      throw new OutOfMemoryError("planned");
    }

    @Override
    public void release() {
      releases++;
    }
  }

  private static boolean mayContain(FlatSegment segment, String row) {
    return segment.mayContainRow(ModelCell.firstOfRow(row).encode(), 0);
  }
}
