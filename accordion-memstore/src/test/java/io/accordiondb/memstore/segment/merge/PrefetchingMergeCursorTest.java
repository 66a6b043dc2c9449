// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentContract;
import io.accordiondb.memstore.segment.SegmentFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PrefetchingMergeCursorTest {
  private final SegmentFixture memory = new SegmentFixture();

  /** Segments of all forms, under prefix maps that fit all, some and none of the rows. */
  @Property(tries = 150)
  void readsAsOneSortedList(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 6) int count,
      @ForAll @IntRange(min = 1, max = 150) int cellsMax)
      throws IOException {
    List<KeyPrefix> prefixes =
        List.of(
            KeyPrefix.UNANCHORED,
            SegmentFixture.anchoredAt("user/"),
            SegmentFixture.anchoredAt("user/long-beginning/"));
    List<ModelCell> all = new ArrayList<>();
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<ModelCell> cells =
          SegmentFixture.randomCells(random, 1 + random.nextInt(cellsMax), all.size() + 1);
      all.addAll(cells);
      KeyPrefix prefix = prefixes.get(random.nextInt(prefixes.size()));
      segments.add(0, memory.any(random, prefix, cells));
    }
    List<ModelCell> sorted = SegmentFixture.sorted(all);
    PrefetchingMergeCursor cursor =
        new PrefetchingMergeCursor(segments, prefixes.get(random.nextInt(3)));
    assertThat(rest(cursor, cursor.seekToFirst())).isEqualTo(sorted);
    for (ModelCell key : SegmentFixture.randomCells(random, 20, 1)) {
      SegmentContract.checkSeeks(cursor, sorted, key);
    }
    SegmentContract.checkSeeks(cursor, sorted, ModelCell.firstOfRow(""));
    SegmentContract.checkSeeks(cursor, sorted, ModelCell.firstOfRow("\u00ff"));
    segments.forEach(Segment::release);
    memory.assertAllGivenBack();
  }

  private static List<ModelCell> rest(PrefetchingMergeCursor cursor, boolean found) {
    List<ModelCell> cells = new ArrayList<>();
    for (boolean more = found; more; more = cursor.next()) {
      assertThat(cursor.isValid()).isTrue();
      ModelCell cell = CellReading.current(cursor);
      assertThat(cursor.length()).isEqualTo(cell.length());
      cells.add(cell);
    }
    assertThat(cursor.isValid()).isFalse();
    return cells;
  }
}
