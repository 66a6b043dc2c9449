// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.segment.MemoryCursor;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.SegmentFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Lists so long that writers and readers follow hints; rows as the contract's writers have them.
 */
class SkipListHintTest extends MutableSegmentContract {
  private static final int CELLS = 5000;
  private static final int BATCH = 50;

  /** How the rows of a test lie. */
  enum Rows {
    DIGITS {
      @Override
      String row(Random random, int number) {
        return "row0000" + random.nextInt(1000);
      }
    },
    LETTERS {
      @Override
      String row(Random random, int number) {
        return "row0000" + (char) ('!' + random.nextInt(90)) + (char) ('!' + random.nextInt(90));
      }
    },
    /** All in one range of prefixes, except those that show how prefixes are spread. */
    CROWDED {
      @Override
      String row(Random random, int number) {
        return number < 500 ? DIGITS.row(random, number) : "row00005555555" + random.nextInt(5000);
      }
    },
    ASCENDING {
      @Override
      String row(Random random, int number) {
        return String.format("row0000%06d", number);
      }
    },
    /** Rows before and behind all that showed how prefixes are spread. */
    WIDENING {
      @Override
      String row(Random random, int number) {
        return "row0000" + (char) ('a' + random.nextInt(1 + number / 200)) + random.nextInt(100);
      }
    };

    abstract String row(Random random, int number);
  }

  @Override
  MutableSegment newSegment() {
    return memory.skipList(SegmentFixture.anchoredAt("row0000"));
  }

  @Property(tries = 30)
  void holdsAndFindsRowsHoweverTheyLie(@ForAll Random random, @ForAll Rows rows)
      throws IOException {
    List<ModelCell> cells = new ArrayList<>();
    for (int i = 0; i < CELLS; i++) {
      String qualifier = "q" + random.nextInt(3);
      cells.add(ModelCell.put(rows.row(random, i), qualifier, random.nextInt(3), i + 1, "v"));
    }
    MutableSegment segment = newSegment();
    SegmentFixture.insert(segment, cells, BATCH);
    TreeSet<ModelCell> model = new TreeSet<>(cells);
    assertThat(CellReading.readAll(segment)).isEqualTo(List.copyOf(model));

    MemoryCursor cursor = segment.cursor();
    for (int i = 0; i < 300; i++) {
      String row = rows.row(random, random.nextInt(2 * CELLS));
      ModelCell key = ModelCell.firstOfRow(i % 2 == 0 ? row : row + "x");
      ByteBuffer bytes = key.encode();
      ModelCell next = model.higher(key);
      assertThat(cursor.seek(bytes, 0)).isEqualTo(next != null);
      assertThat(next == null || CellReading.current(cursor).equals(next)).as(row).isTrue();
      ModelCell last = model.lower(key);
      assertThat(cursor.seekBefore(bytes, 0)).isEqualTo(last != null);
      assertThat(last == null || CellReading.current(cursor).equals(last)).as(row).isTrue();
    }
    FoundCell found = new FoundCell();
    for (ModelCell cell : cells.subList(0, 300)) {
      ByteBuffer column =
          ModelCell.put(cell.row(), cell.qualifier(), Long.MAX_VALUE, 0, "").encode();
      assertThat(segment.find(column, 0, cell.sequence(), found)).as("%s", cell).isTrue();
    }
    segment.release();
    memory.assertAllGivenBack();
  }
}
