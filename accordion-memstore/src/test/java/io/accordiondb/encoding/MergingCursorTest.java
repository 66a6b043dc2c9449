// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MergingCursorTest {
  private final SegmentFixture memory = new SegmentFixture();

  /** Rows downwards, of each all cells upwards, or the first one, or none. */
  @Property(tries = 150)
  void rowsDownwardsAreThoseOfTheSortedList(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 6) int count,
      @ForAll @IntRange(min = 1, max = 150) int cellsMax)
      throws IOException {
    List<ModelCell> all = new ArrayList<>();
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<ModelCell> cells =
          SegmentFixture.randomCells(random, 1 + random.nextInt(cellsMax), all.size() + 1);
      all.addAll(cells);
      segments.add(memory.any(random, KeyPrefix.UNANCHORED, cells));
    }
    NavigableMap<String, List<ModelCell>> rows = new TreeMap<>();
    for (ModelCell cell : SegmentFixture.sorted(all)) {
      rows.computeIfAbsent(cell.row(), row -> new ArrayList<>()).add(cell);
    }

    String limit = "user/" + (char) ('0' + random.nextInt(11));
    try (MergingCursor cursor =
        new MergingCursor(segments.stream().map(Segment::cursor).toList())) {
      while (true) {
        ByteBuffer key = ModelCell.firstOfRow(limit).encode();
        byte[] found = cursor.lastRowBefore(key, 0);
        String row = rows.lowerKey(limit);
        assertThat(found == null ? null : new String(found, ISO_8859_1)).isEqualTo(row);
        if (row == null) {
          assertThat(cursor.isValid()).isFalse();
          break;
        }
        if (random.nextInt(4) == 0) {
          boolean stands = cursor.isValid() || cursor.seek(ModelCell.firstOfRow(row).encode(), 0);
          assertThat(stands).isTrue();
          assertThat(CellReading.current(cursor.current())).isEqualTo(rows.get(row).get(0));
        } else if (random.nextInt(3) > 0) {
          assertThat(read(cursor, row, random.nextBoolean() ? 2 : 1000, random))
              .isEqualTo(rows.get(row));
        }
        limit = row;
      }
    }
    segments.forEach(Segment::release);
    memory.assertAllGivenBack();
  }

  /** Steps upwards, and seeks to any cell that is not behind. */
  @Property(tries = 150)
  void seeksForwardsFindTheCellsOfTheSortedList(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 6) int count,
      @ForAll @IntRange(min = 1, max = 50) int cellsMax)
      throws IOException {
    List<ModelCell> all = new ArrayList<>();
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<ModelCell> cells =
          SegmentFixture.randomCells(random, 1 + random.nextInt(cellsMax), all.size() + 1);
      all.addAll(cells);
      segments.add(memory.any(random, KeyPrefix.UNANCHORED, cells));
    }
    List<ModelCell> sorted = SegmentFixture.sorted(all);
    try (MergingCursor cursor =
        new MergingCursor(segments.stream().map(Segment::cursor).toList())) {
      boolean more = cursor.seekToFirst();
      int at = 0;
      while (at < sorted.size()) {
        assertThat(more).isTrue();
        assertThat(CellReading.current(cursor.current())).isEqualTo(sorted.get(at));
        if (random.nextInt(3) > 0) {
          more = cursor.next();
          at++;
        } else {
          ByteBuffer key = sorted.get(at + random.nextInt(sorted.size() - at)).encode();
          more = cursor.seekForwards(key, 0);
          while (CellComparator.compareKeys(sorted.get(at).encode(), 0, key, 0) < 0) {
            at++;
          }
        }
      }
      assertThat(more).isFalse();
    }
    segments.forEach(Segment::release);
    memory.assertAllGivenBack();
  }

  /**
   * Returns the cells of a row; after each few of them, the cursor seeks the next one. If the
   * cursor is on a cell, it must be the first one of the row.
   */
  private static List<ModelCell> read(MergingCursor cursor, String row, int few, Random random)
      throws IOException {
    List<ModelCell> cells = new ArrayList<>();
    boolean knowsFirst = cursor.isValid() && random.nextBoolean();
    boolean more = knowsFirst || cursor.seek(ModelCell.firstOfRow(row).encode(), 0);
    while (more) {
      assertThat(cursor.isValid()).isTrue();
      ModelCell cell = CellReading.current(cursor.current());
      if (!cell.row().equals(row)) {
        break;
      }
      boolean isNext = cells.isEmpty() || cells.get(cells.size() - 1).compareTo(cell) < 0;
      if (isNext) {
        cells.add(cell);
      }
      if (isNext && random.nextInt(few) == 1) {
        ByteBuffer key = cell.encode();
        more = random.nextBoolean() ? cursor.seek(key, 0) : cursor.seekForwards(key, 0);
      } else {
        more = cursor.next();
      }
    }
    return cells;
  }
}
