// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.memstore.segment.active.ObjectSegment;
import io.accordiondb.memstore.segment.active.SkipListSegment;
import io.accordiondb.memstore.segment.flat.FlatSegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Memory for segments, and ways to fill them. */
public final class SegmentFixture {
  /** What cells there are in a family without a merge operator. */
  public static final List<CellType> PUT_AND_MARKERS =
      List.of(
          CellType.PUT,
          CellType.DELETE,
          CellType.DELETE_FAMILY_VERSION,
          CellType.DELETE_COLUMN,
          CellType.DELETE_FAMILY);

  /** What most tests use: it shows reads beyond a chunk's end soonest. */
  public static final SegmentLayout HEAP =
      SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.CHUNK);

  /** Every form that a segment can have. */
  public static final List<SegmentLayout> LAYOUTS =
      List.of(
          HEAP,
          SegmentLayout.DEFAULT,
          SegmentLayout.of(CellMemory.HEAP_CHUNKS, IndexKind.ARRAY),
          SegmentLayout.of(CellMemory.OFF_HEAP_CHUNKS, IndexKind.ARRAY),
          SegmentLayout.of(CellMemory.OBJECTS, IndexKind.ARRAY));

  public final MemoryBudget budget = new MemoryBudget(1 << 30);
  public final MemoryAccount account = new MemoryAccount(budget);
  public final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_BYTES_MIN, 1 << 30);

  public SegmentMemory as(SegmentLayout layout) {
    return new SegmentMemory(pool, account, layout);
  }

  public SkipListSegment skipList(KeyPrefix keyPrefix) {
    return skipList(keyPrefix, 1 << 20);
  }

  public SkipListSegment skipList(KeyPrefix keyPrefix, long sealBytes) {
    return new SkipListSegment(as(HEAP), keyPrefix, sealBytes);
  }

  /** Inserts cells of ascending sequence numbers without a gap, in batches. */
  public static void insert(MutableSegment segment, List<ModelCell> cells, int batch) {
    for (int from = 0; from < cells.size(); from += batch) {
      List<ModelCell> part = cells.subList(from, Math.min(cells.size(), from + batch));
      assertThat(segment.enter()).isTrue();
      ByteBuffer encoded = ModelCell.encode(part);
      long first = part.get(0).sequence();
      assertThat(segment.insert(encoded, 0, part.size(), first, BatchFormat.NUMBERED))
          .isEqualTo(part.size());
      segment.exit();
    }
  }

  /** Returns a flat segment of the cells, whose sequence numbers ascend without a gap. */
  public FlatSegment flat(KeyPrefix keyPrefix, List<ModelCell> cells) {
    return (FlatSegment) immutable(HEAP, keyPrefix, cells);
  }

  /** Returns an immutable segment of the cells, whose sequence numbers ascend without a gap. */
  public ImmutableSegment immutable(
      SegmentLayout layout, KeyPrefix keyPrefix, List<ModelCell> cells) {
    MutableSegment source =
        layout.cells() == CellMemory.OBJECTS
            ? new ObjectSegment(account, 1 << 20)
            : new SkipListSegment(as(layout), keyPrefix, 1 << 20);
    insert(source, cells, 100);
    source.seal();
    ImmutableSegment flat = source.flatten(as(layout), keyPrefix, true, null);
    source.release();
    return flat;
  }

  /** Returns a segment of any kind, of cells whose sequence numbers ascend without a gap. */
  public Segment any(Random random, KeyPrefix keyPrefix, List<ModelCell> cells) {
    if (random.nextInt(3) == 0) {
      SkipListSegment active = skipList(keyPrefix);
      insert(active, cells, 50);
      return active;
    }
    return immutable(LAYOUTS.get(random.nextInt(LAYOUTS.size())), keyPrefix, cells);
  }

  public void assertAllGivenBack() {
    assertThat(account.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  /** Returns a prefix map that skips a beginning of rows. */
  public static KeyPrefix anchoredAt(String anchor) {
    ModelCell cell = ModelCell.put(anchor, "", 0, 0, "");
    return KeyPrefix.between(cell.encode(), 0, cell.encode(), 0);
  }

  /** Returns the cells numbered one after another. */
  public static List<ModelCell> numbered(List<ModelCell> cells, long firstSequence) {
    List<ModelCell> numbered = new ArrayList<>(cells.size());
    for (ModelCell cell : cells) {
      numbered.add(cell.withSequence(firstSequence + numbered.size()));
    }
    return numbered;
  }

  /** Returns many cells of rows that share beginnings, with few columns and versions. */
  public static List<ModelCell> randomCells(Random random, int count, long firstSequence) {
    List<ModelCell> cells = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      CellType type =
          random.nextInt(4) == 0 ? PUT_AND_MARKERS.get(random.nextInt(5)) : CellType.PUT;
      cells.add(
          new ModelCell(
              "user/" + (random.nextBoolean() ? "" : "long-beginning/") + random.nextInt(300),
              "",
              random.nextInt(3) == 0 ? "" : "q" + random.nextInt(3),
              random.nextInt(6),
              type,
              firstSequence + i,
              "v".repeat(random.nextInt(9))));
    }
    return cells;
  }

  /** Returns the number of different columns of cells without family. */
  public static long columnsOf(List<ModelCell> cells) {
    return cells.stream().map(cell -> List.of(cell.row(), cell.qualifier())).distinct().count();
  }

  public static List<ModelCell> sorted(List<ModelCell> cells) {
    List<ModelCell> sorted = new ArrayList<>(cells);
    Collections.sort(sorted);
    return sorted;
  }
}
