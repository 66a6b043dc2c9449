// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.encoding.CellArbitraries;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.ModelCell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What every segment does, against a sorted list. */
public abstract class SegmentContract {
  protected final SegmentFixture memory = new SegmentFixture();

  /** Returns a segment of the cells, whose sequence numbers ascend without a gap. */
  protected abstract Segment segmentOf(List<ModelCell> cells);

  @Property(tries = 150)
  protected void readsAsASortedList(
      @ForAll("cells") List<ModelCell> cells, @ForAll("key") ModelCell key) throws IOException {
    check(cells, List.of(key));
  }

  @Property(tries = 30)
  protected void readsAsASortedListWhenLarge(
      @ForAll Random random, @ForAll @IntRange(min = 300, max = 2000) int count)
      throws IOException {
    List<ModelCell> cells = SegmentFixture.randomCells(random, count, 1);
    check(cells, SegmentFixture.randomCells(random, 40, 1));
  }

  @Property(tries = 50)
  protected void findsTheNewestVersionOfAColumn(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 2000) int count) throws IOException {
    List<ModelCell> cells = puts(SegmentFixture.randomCells(random, count, 1));
    List<ModelCell> sorted = SegmentFixture.sorted(cells);
    Segment segment = segmentOf(cells);
    for (int i = 0; i < cells.size(); i += Math.max(1, cells.size() / 30)) {
      checkFind(segment, sorted, cells.get(i));
    }
    for (ModelCell key : SegmentFixture.randomCells(random, 20, 1)) {
      checkFind(segment, sorted, key);
    }
    checkFind(segment, sorted, sorted.get(0));
    checkFind(segment, sorted, sorted.get(sorted.size() - 1));
    segment.release();
    memory.assertAllGivenBack();
  }

  private static List<ModelCell> puts(List<ModelCell> cells) {
    return cells.stream()
        .map(
            cell ->
                ModelCell.put(
                    cell.row(), cell.qualifier(), cell.timestamp(), cell.sequence(), cell.value()))
        .toList();
  }

  private void check(List<ModelCell> cells, List<ModelCell> otherKeys) throws IOException {
    List<ModelCell> sorted = SegmentFixture.sorted(cells);
    Segment segment = segmentOf(cells);
    assertThat(CellReading.readAll(segment)).isEqualTo(sorted);
    assertThat(segment.stats()).isEqualTo(statsOf(cells));
    assertThat(segment.heldBytes())
        .isEqualTo(memory.account.usedBytes())
        .isGreaterThanOrEqualTo(segment.dataBytes());
    assertThat(segment.heapBytes()).isEqualTo(memory.account.usedBytes(MemoryKind.HEAP));

    int step = Math.max(1, cells.size() / 40);
    MemoryCursor cursor = segment.cursor();
    assertThat(cursor.isValid()).isFalse();
    for (int i = 0; i < cells.size(); i += step) {
      assertThat(segment.mayContainRow(cells.get(i).encode(), 0)).isTrue();
      checkSeeks(cursor, sorted, cells.get(i));
      checkSeeks(cursor, sorted, ModelCell.firstOfRow(cells.get(i).row()));
    }
    for (ModelCell key : otherKeys) {
      checkSeeks(cursor, sorted, key);
    }
    checkSeeks(cursor, sorted, ModelCell.firstOfRow(""));
    checkSeeks(cursor, sorted, ModelCell.firstOfRow("\u00ff".repeat(30)));
    cursor.close();

    segment.retain();
    segment.release();
    assertThat(CellReading.readAll(segment)).isEqualTo(sorted);
    segment.release();
    memory.assertAllGivenBack();
  }

  public static void checkSeeks(CellCursor cursor, List<ModelCell> sorted, ModelCell key)
      throws IOException {
    int index = 0;
    while (index < sorted.size() && sorted.get(index).compareKey(key) < 0) {
      index++;
    }
    assertThat(cursor.seek(key.encode(), 0)).isEqualTo(index < sorted.size());
    checkRest(cursor, sorted, index);
    assertThat(cursor.seekBefore(key.encode(), 0)).isEqualTo(index > 0);
    if (index > 0) {
      checkRest(cursor, sorted, index - 1);
      checkStepDown(cursor, sorted, index - 1, key);
    } else {
      assertThat(cursor.isValid()).isFalse();
    }
  }

  /** If the cursor knows that a cell starts its row, the cell before it is one step away. */
  private static void checkStepDown(
      CellCursor cursor, List<ModelCell> sorted, int index, ModelCell key) throws IOException {
    assertThat(cursor.seekRowBefore(key.encode(), 0)).isTrue();
    assertThat(CellReading.current(cursor).row()).isEqualTo(sorted.get(index).row());
    cursor.seekBefore(key.encode(), 0);
    if (cursor.startsRow()) {
      boolean isFirst = index == 0;
      assertThat(isFirst || !sorted.get(index - 1).row().equals(sorted.get(index).row())).isTrue();
      assertThat(cursor.previous()).isEqualTo(!isFirst);
      if (isFirst) {
        assertThat(cursor.isValid()).isFalse();
      } else {
        checkRest(cursor, sorted, index - 1);
      }
    }
  }

  /** Finds what is newest of a key's column, for readers that see all, the cell, or less. */
  public static void checkFind(CellSource source, List<ModelCell> sorted, ModelCell key)
      throws IOException {
    ByteBuffer first =
        new ModelCell(
                key.row(),
                key.family(),
                key.qualifier(),
                Long.MAX_VALUE,
                CellType.DELETE_FAMILY,
                0,
                "")
            .encode();
    FoundCell found = new FoundCell();
    for (long readPoint : new long[] {Long.MAX_VALUE, key.sequence(), key.sequence() - 1}) {
      Optional<ModelCell> expected =
          sorted.stream()
              .filter(cell -> cell.row().equals(key.row()))
              .filter(cell -> cell.family().equals(key.family()))
              .filter(cell -> cell.qualifier().equals(key.qualifier()))
              .filter(cell -> cell.sequence() <= readPoint)
              .findFirst();
      assertThat(source.find(first, 0, readPoint, found)).isEqualTo(expected.isPresent());
      if (expected.isPresent()) {
        assertThat(new String(found.value(), ISO_8859_1)).isEqualTo(expected.get().value());
        assertThat(found.timestamp()).isEqualTo(expected.get().timestamp());
        assertThat(found.sequence()).isEqualTo(expected.get().sequence());
        assertThat(found.isPlainPut()).isEqualTo(isPlainPut(expected.get()));
      }
    }
  }

  private static boolean isPlainPut(ModelCell cell) {
    return cell.type() == CellType.PUT && !cell.hasTtl();
  }

  /** Checks the cell that a cursor stands on and some that follow. */
  private static void checkRest(CellCursor cursor, List<ModelCell> sorted, int index)
      throws IOException {
    for (int i = index; i < Math.min(sorted.size(), index + 4); i++) {
      assertThat(cursor.isValid()).isTrue();
      assertThat(CellReading.current(cursor)).isEqualTo(sorted.get(i));
      assertThat(cursor.next()).isEqualTo(i + 1 < sorted.size());
    }
    if (index + 4 >= sorted.size()) {
      assertThat(cursor.isValid()).isFalse();
    }
  }

  public static SegmentStats statsOf(List<ModelCell> cells) {
    return new SegmentStats(
        cells.size(),
        cells.stream().filter(cell -> cell.type() != CellType.PUT).count(),
        cells.stream()
            .filter(
                cell ->
                    cell.type() == CellType.DELETE || cell.type() == CellType.DELETE_FAMILY_VERSION)
            .mapToLong(ModelCell::timestamp)
            .max()
            .orElse(Long.MIN_VALUE),
        cells.stream().mapToLong(ModelCell::length).sum(),
        cells.stream().mapToLong(ModelCell::timestamp).min().orElse(Long.MAX_VALUE),
        cells.stream().mapToLong(ModelCell::timestamp).max().orElse(Long.MIN_VALUE),
        cells.stream().mapToLong(ModelCell::sequence).min().orElse(Long.MAX_VALUE),
        cells.stream().mapToLong(ModelCell::sequence).max().orElse(0));
  }

  @Provide
  protected Arbitrary<List<ModelCell>> cells() {
    return CellArbitraries.cells()
        .list()
        .ofMinSize(1)
        .ofMaxSize(40)
        .map(cells -> SegmentFixture.numbered(cells, 1));
  }

  @Provide
  protected Arbitrary<ModelCell> key() {
    return CellArbitraries.cells();
  }
}
