// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.SegmentFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SkipListSegmentTest extends MutableSegmentContract {
  @Override
  MutableSegment newSegment() {
    return memory.skipList(SegmentFixture.anchoredAt("user/"));
  }

  @Test
  void countsAsFullOnceItHasItsBytes() {
    SkipListSegment segment = memory.skipList(KeyPrefix.UNANCHORED, 1000);
    List<ModelCell> cells = new ArrayList<>();
    long bytes = 0;
    while (bytes < 1000) {
      ModelCell cell = ModelCell.put("row" + cells.size(), "q", 1, cells.size() + 1, "value");
      cells.add(cell);
      assertThat(segment.isFull()).isFalse();
      SegmentFixture.insert(segment, List.of(cell), 1);
      bytes += cell.length();
    }
    assertThat(segment.isFull()).isTrue();
    assertThat(segment.dataBytes()).isEqualTo(bytes);
    segment.release();
    memory.assertAllGivenBack();
  }

  /** Ten thousand cells are more than twice as many as two link blocks have room for. */
  @Test
  void stopsAndCountsAsFullWhenTheLinkBlocksRunOut() {
    SkipListSegment segment = memory.skipList(KeyPrefix.UNANCHORED, 4096);
    List<ModelCell> cells = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      cells.add(ModelCell.put(String.format("%04d", i), "", 1, i + 1, ""));
    }
    int inserted =
        segment.insert(ModelCell.encode(cells), 0, cells.size(), 1, BatchFormat.NUMBERED);
    assertThat(inserted).isBetween(3500, 9999);
    assertThat(segment.isFull()).isTrue();
    assertThat(segment.cellCount()).isEqualTo(inserted);
    assertThat(CellReading.readAll(segment)).isEqualTo(cells.subList(0, inserted));
    assertThat(segment.insert(ModelCell.encode(cells), 0, cells.size(), 1, BatchFormat.NUMBERED))
        .isZero();
    assertThat(segment.cellCount()).isEqualTo(inserted);

    segment.seal();
    ImmutableSegment flat =
        segment.flatten(memory.as(SegmentFixture.HEAP), KeyPrefix.UNANCHORED, false, null);
    assertThat(CellReading.readAll(flat)).isEqualTo(cells.subList(0, inserted));
    segment.release();
    flat.release();
    memory.assertAllGivenBack();
  }

  /** Each version goes behind all others of its column, which takes as many steps. */
  @Test
  void stopsAndCountsAsFullWhenVersionsComeInTheWorstOrder() {
    SkipListSegment segment = memory.skipList(KeyPrefix.UNANCHORED);
    List<ModelCell> cells = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      cells.add(ModelCell.put("row", "q", 3000 - i, i + 1, ""));
    }
    int inserted =
        segment.insert(ModelCell.encode(cells), 0, cells.size(), 1, BatchFormat.NUMBERED);
    assertThat(inserted).isBetween(1000, 1100);
    assertThat(segment.isFull()).isTrue();
    assertThat(CellReading.readAll(segment)).isEqualTo(cells.subList(0, inserted));
    segment.release();
    memory.assertAllGivenBack();
  }

  @Test
  void knowsWhatItsRowsHaveInCommon() {
    SkipListSegment segment = memory.skipList(KeyPrefix.UNANCHORED);
    for (int i = 0; i < 1000; i++) {
      ModelCell cell = ModelCell.put("user/" + i * 7919 % 1000, "q", 1, i + 1, "v");
      SegmentFixture.insert(segment, List.of(cell), i + 1);
      if (i == 0) {
        assertThat(segment.fittingPrefix()).isEqualTo(SegmentFixture.anchoredAt("user/0"));
      }
    }
    assertThat(segment.fittingPrefix()).isEqualTo(SegmentFixture.anchoredAt("user/"));
    segment.release();
    memory.assertAllGivenBack();
  }

  @Test
  void aCellLargerThanAChunkIsKeptWhole() {
    MutableSegment segment = newSegment();
    List<ModelCell> cells =
        List.of(
            ModelCell.put("a", "q", 1, 1, "v".repeat(ChunkPool.CHUNK_BYTES_MIN)),
            ModelCell.put("b", "q", 1, 2, "small"),
            ModelCell.put("c".repeat(5000), "q", 1, 3, "w".repeat(3 * ChunkPool.CHUNK_BYTES_MIN)));
    SegmentFixture.insert(segment, cells, 3);
    assertThat(CellReading.readAll(segment)).isEqualTo(cells);
    assertThat(segment.heapBytes())
        .isEqualTo(memory.account.usedBytes(MemoryKind.HEAP))
        .isGreaterThan(4 * ChunkPool.CHUNK_BYTES_MIN);
    segment.release();
    memory.assertAllGivenBack();
  }

  /** A thread's last position must not lead it into the list of another segment. */
  @Test
  void oneThreadWritesToManySegmentsInTurns() {
    List<MutableSegment> segments = new ArrayList<>();
    List<List<ModelCell>> written = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      segments.add(newSegment());
      written.add(new ArrayList<>());
    }
    Random random = new Random(1);
    for (int turn = 0; turn < 300; turn++) {
      int target = random.nextInt(segments.size());
      List<ModelCell> cells = SegmentFixture.randomCells(random, 10, 10 * turn + 1);
      SegmentFixture.insert(segments.get(target), cells, 10);
      written.get(target).addAll(cells);
    }
    for (int i = 0; i < segments.size(); i++) {
      assertThat(CellReading.readAll(segments.get(i)))
          .isEqualTo(SegmentFixture.sorted(written.get(i)));
      segments.get(i).release();
    }
    memory.assertAllGivenBack();
  }

  @Test
  void memoryOfAnEarlierSegmentDoesNotShineThrough() {
    for (int i = 0; i < 3; i++) {
      MutableSegment segment = newSegment();
      List<ModelCell> cells = SegmentFixture.randomCells(new Random(i), 3000, 1);
      SegmentFixture.insert(segment, cells, 100);
      assertThat(CellReading.readAll(segment)).isEqualTo(SegmentFixture.sorted(cells));
      segment.release();
    }
    memory.assertAllGivenBack();
  }
}
