// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.FoundCell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A table against the sorted list of the cells that were written to it. */
class SortedTableModelTest {
  private static final Arbitrary<TestCell> ANY_CELL = CellArbitraries.cells();

  private enum Move {
    SEEK,
    SEEK_BEFORE,
    NEXT,
    SEEK_TO_FIRST,
    PREVIOUS
  }

  private record Step(Move move, TestCell key, boolean direct) {}

  @Provide
  Arbitrary<List<TestCell>> tables() {
    return CellArbitraries.sortedCells(150);
  }

  @Provide
  Arbitrary<SortedTableOptions> options() {
    return CellArbitraries.options();
  }

  @Provide
  Arbitrary<List<TestCell>> keys() {
    return ANY_CELL.list().ofSize(20);
  }

  @Property(tries = 1_000)
  void aCursorMovesAsInTheSortedList(
      @ForAll("tables") List<TestCell> cells,
      @ForAll("options") SortedTableOptions options,
      @ForAll("keys") List<TestCell> foreignKeys,
      @ForAll long seed)
      throws IOException {
    BytesStorage storage = new BytesStorage();
    Tables.write(storage, options, cells);
    SortedTable table = Tables.open(storage);
    assertThat(Tables.readAll(table)).isEqualTo(cells);
    table.verify();
    try (CellCursor cursor = table.cursor((seed & 1) == 0)) {
      int at = -1;
      for (Step step : steps(cells, foreignKeys, seed)) {
        if (step.move == Move.PREVIOUS) {
          at = walkDown(cursor, cells, at);
          continue;
        }
        ByteBuffer key = keyBytes(step);
        int expected = expected(cells, at, step);
        boolean found =
            switch (step.move) {
              case SEEK -> cursor.seek(key, 5);
              case SEEK_BEFORE -> cursor.seekBefore(key, 5);
              case NEXT -> at >= 0 && cursor.next();
              case SEEK_TO_FIRST -> cursor.seekToFirst();
              case PREVIOUS -> throw new AssertionError(step);
            };
        assertThat(found).as("%s from %d", step, at).isEqualTo(expected >= 0);
        assertThat(cursor.isValid()).isEqualTo(found);
        if (found) {
          assertThat(TestCell.current(cursor))
              .as("%s from %d", step, at)
              .isEqualTo(cells.get(expected));
        }
        at = expected;
      }
    }
    table.release();
    assertThat(storage.openReaders()).isZero();
  }

  /** Moves down as long as the cursor knows that it leaves a row; returns where it arrives. */
  private static int walkDown(CellCursor cursor, List<TestCell> cells, int from)
      throws IOException {
    int at = from;
    while (at >= 0 && cursor.startsRow()) {
      assertThat(at == 0 || !cells.get(at - 1).row().equals(cells.get(at).row())).isTrue();
      at--;
      assertThat(cursor.previous()).isEqualTo(at >= 0);
      assertThat(cursor.isValid()).isEqualTo(at >= 0);
      if (at >= 0) {
        assertThat(TestCell.current(cursor)).isEqualTo(cells.get(at));
      }
    }
    if (at >= 0) {
      assertThat(TestCell.current(cursor)).isEqualTo(cells.get(at));
    }
    return at;
  }

  @Test
  void aCursorWalksDownABlockWithoutSeeking() throws IOException {
    BytesStorage storage = new BytesStorage();
    List<TestCell> cells = Tables.grid(200, 1, 1);
    Tables.write(storage, Tables.options(1 << 20, Compression.NONE, BloomKind.ROW), cells);
    SortedTable table = Tables.open(storage);
    try (CellCursor cursor = table.cursor(true)) {
      assertThat(cursor.seekBefore(Tables.startOfRow("z"), 0)).isTrue();
      assertThat(walkDown(cursor, cells, cells.size() - 1)).isZero();
    }
    table.release();
  }

  @Property(tries = 1_000)
  void findsTheNewestVersionOfAColumnThatAReaderSees(
      @ForAll("tables") List<TestCell> cells,
      @ForAll("options") SortedTableOptions options,
      @ForAll("keys") List<TestCell> foreignKeys)
      throws IOException {
    BytesStorage storage = new BytesStorage();
    Tables.write(storage, options, cells);
    SortedTable table = Tables.open(storage);
    List<TestCell> keys = new ArrayList<>(cells);
    keys.addAll(foreignKeys);
    FoundCell found = new FoundCell();
    for (TestCell key : keys) {
      ByteBuffer first =
          new TestCell(
                  key.row(), key.family(), key.qualifier(), Long.MAX_VALUE, CellType.MERGE, "", 0)
              .bytes();
      for (long readPoint : new long[] {Long.MAX_VALUE, key.sequence(), key.sequence() - 1}) {
        Optional<TestCell> expected =
            cells.stream()
                .filter(cell -> isOfColumn(cell, key) && cell.sequence() <= readPoint)
                .findFirst();
        assertThat(table.find(first, 0, readPoint, true, found)).isEqualTo(expected.isPresent());
        if (expected.isPresent()) {
          assertThat(found.isPlainPut()).isEqualTo(isPlainPut(expected.get()));
          if (found.isPlainPut()) {
            assertThat(new String(found.value(), ISO_8859_1)).isEqualTo(expected.get().value());
          }
          assertThat(found.timestamp()).isEqualTo(expected.get().timestamp());
          assertThat(found.sequence()).isEqualTo(expected.get().sequence());
        }
      }
    }
    table.release();
  }

  private static boolean isPlainPut(TestCell cell) {
    return cell.type() == CellType.PUT && cell.tags().isEmpty();
  }

  private static boolean isOfColumn(TestCell cell, TestCell key) {
    return cell.row().equals(key.row())
        && cell.family().equals(key.family())
        && cell.qualifier().equals(key.qualifier());
  }

  @Property(tries = 500)
  void theFilterNeverHidesWhatIsThere(
      @ForAll("tables") List<TestCell> cells, @ForAll("options") SortedTableOptions options)
      throws IOException {
    BytesStorage storage = new BytesStorage();
    Tables.write(storage, options, cells);
    SortedTable table = Tables.open(storage);
    for (TestCell cell : cells) {
      ByteBuffer sameRow = new TestCell(cell.row(), "", "\u00ff", 0, cell.type(), "", 0).bytes();
      ByteBuffer sameColumn =
          new TestCell(cell.row(), cell.family(), cell.qualifier(), 0, cell.type(), "", 0).bytes();
      assertThat(table.mayContainRow(sameRow, 0)).isTrue();
      assertThat(table.mayContainColumn(sameColumn, 0)).isTrue();
      if (cell.qualifier().isEmpty() && table.properties().familyMarkerCount() > 0) {
        ByteBuffer otherColumn =
            new TestCell(cell.row(), cell.family(), "other", 0, cell.type(), "", 0).bytes();
        assertThat(table.mayContainColumn(otherColumn, 0)).isTrue();
      }
    }
    assertThat(table.properties().filterKeyCount()).isEqualTo(filterKeys(cells, options));
    table.release();
  }

  private static long filterKeys(List<TestCell> cells, SortedTableOptions options) {
    if (options.bloomKind() == BloomKind.NONE) {
      return 0;
    }
    return cells.stream()
        .map(
            cell ->
                options.bloomKind() == BloomKind.ROW
                    ? List.of(cell.row())
                    : List.of(cell.row(), cell.family(), cell.qualifier()))
        .distinct()
        .count();
  }

  private static List<Step> steps(List<TestCell> cells, List<TestCell> foreignKeys, long seed) {
    Random random = new Random(seed);
    List<Step> steps = new ArrayList<>();
    int near = 0;
    for (int i = 0; i < 60; i++) {
      if (random.nextInt(3) > 0) {
        // As walks downwards do.
        near = Math.floorMod(near - random.nextInt(3), cells.size());
        Move move = random.nextInt(3) > 0 ? Move.SEEK_BEFORE : Move.SEEK;
        if (random.nextInt(3) == 0) {
          move = Move.PREVIOUS;
        }
        steps.add(new Step(move, cells.get(near), random.nextInt(4) == 0));
        continue;
      }
      List<TestCell> keys = random.nextBoolean() ? cells : foreignKeys;
      Move move = random.nextInt(3) == 0 ? Move.NEXT : Move.values()[random.nextInt(4)];
      steps.add(new Step(move, keys.get(random.nextInt(keys.size())), random.nextInt(4) == 0));
    }
    return steps;
  }

  /** Returns where in the list a step leads, or -1. */
  private static int expected(List<TestCell> cells, int at, Step step) {
    int firstNotBefore = 0;
    while (firstNotBefore < cells.size() && cells.get(firstNotBefore).compareKey(step.key) < 0) {
      firstNotBefore++;
    }
    return switch (step.move) {
      case SEEK -> firstNotBefore < cells.size() ? firstNotBefore : -1;
      case SEEK_BEFORE -> firstNotBefore - 1;
      case NEXT -> at >= 0 && at + 1 < cells.size() ? at + 1 : -1;
      case SEEK_TO_FIRST -> 0;
      case PREVIOUS -> throw new AssertionError(step);
    };
  }

  /** Returns the key at offset 5 of a heap or direct buffer. */
  private static ByteBuffer keyBytes(Step step) {
    ByteBuffer cell = step.key.bytes();
    int length = cell.capacity() + 5;
    ByteBuffer bytes =
        step.direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    return bytes.put(5, cell, 0, cell.capacity());
  }
}
