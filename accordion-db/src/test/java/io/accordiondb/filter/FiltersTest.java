// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.filter;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.CompareOperator;
import io.accordiondb.Filter;
import io.accordiondb.encoding.CellType;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FiltersTest {
  private static final Cell NEWEST = cell("f", "a", 9, "new");
  private static final Cell OLDER = cell("f", "a", 5, "old");
  private static final Cell OTHER = cell("f", "ab", 7, "x");
  private static final Cell LAST = cell("g", "", 7, "");
  private static final List<Cell> ROW = List.of(NEWEST, OLDER, OTHER, LAST);

  @Test
  void eachKindKeepsWhatItSays() {
    assertThat(Filters.row(CompareOperator.GREATER, bytes("a")).keep(ROW)).isEqualTo(ROW);
    assertThat(Filters.row(CompareOperator.LESS, bytes("row")).keep(ROW)).isEmpty();
    assertThat(Filters.rowPrefix(bytes("ro")).mayKeepRow(bytes("row"))).isTrue();
    assertThat(Filters.rowPrefix(bytes("rows")).mayKeepRow(bytes("row"))).isFalse();
    assertThat(Filters.rowPrefix(bytes("")).keep(ROW)).isEqualTo(ROW);
    assertThat(Filters.family(CompareOperator.EQUAL, bytes("g")).keep(ROW)).containsExactly(LAST);
    assertThat(Filters.qualifier(CompareOperator.LESS_OR_EQUAL, bytes("a")).keep(ROW))
        .containsExactly(NEWEST, OLDER, LAST);
    assertThat(Filters.qualifierPrefix(bytes("a")).keep(ROW)).containsExactly(NEWEST, OLDER, OTHER);
    assertThat(Filters.value(CompareOperator.NOT_EQUAL, bytes("x")).keep(ROW))
        .containsExactly(NEWEST, OLDER, LAST);
    assertThat(Filters.timestamps(Set.of(5L, 7L)).keep(ROW)).containsExactly(OLDER, OTHER, LAST);
    assertThat(Filters.firstKeyOnly().keep(ROW)).containsExactly(NEWEST);
    assertThat(Filters.keyOnly().keep(ROW))
        .hasSize(4)
        .allMatch(cell -> cell.value().length == 0)
        .first()
        .isEqualTo(cell("f", "a", 9, ""));
  }

  @Test
  void keysKeepTheirTimeToLive() {
    Cell expiring = new Cell(bytes("r"), bytes("f"), bytes("q"), 1, CellType.PUT, bytes("v"), 77);
    assertThat(Filters.keyOnly().keep(List.of(expiring)).get(0).ttlMillis()).isEqualTo(77);
  }

  @Test
  void bytesCompareAsUnsigned() {
    Cell high = new Cell(bytes("r"), bytes("f"), bytes("q"), 1, CellType.PUT, new byte[] {-1});
    Filter above = Filters.value(CompareOperator.GREATER, new byte[] {1});
    assertThat(above.keep(List.of(high))).containsExactly(high);
  }

  @Test
  void aRowIsJudgedByTheNewestValueOfItsColumn() {
    assertThat(single("new", false).keep(ROW)).isEqualTo(ROW);
    assertThat(single("old", true).keep(ROW)).isEmpty();
    assertThat(single("new", true).keep(List.of(LAST))).containsExactly(LAST);
    assertThat(single("new", false).keep(List.of(LAST))).isEmpty();
  }

  private static Filter single(String value, boolean keepsMissing) {
    return Filters.singleColumnValue(
        bytes("f"),
        bytes("a"),
        CompareOperator.EQUAL,
        bytes(value),
        keepsMissing ? MissingColumn.KEEP_ROW : MissingColumn.SKIP_ROW);
  }

  @Test
  void combinationsFollowTheLogicOfTheirParts() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 2_000; round++) {
      Filter a = pureFilter(random, 2);
      Filter b = pureFilter(random, 2);
      for (Cell cell : ROW) {
        List<Cell> one = List.of(cell);
        boolean keptByA = keeps(a, one);
        boolean keptByB = keeps(b, one);
        assertThat(keeps(Filters.and(a, b), one)).isEqualTo(keptByA && keptByB);
        assertThat(keeps(Filters.or(a, b), one)).isEqualTo(keptByA || keptByB);
        assertThat(keeps(Filters.not(a), one)).isEqualTo(!keptByA);
      }
      assertThat(kept(Filters.not(Filters.not(a)))).isEqualTo(kept(a));
      assertThat(kept(Filters.not(Filters.or(a, b))))
          .isEqualTo(kept(Filters.and(Filters.not(a), Filters.not(b))));
    }
  }

  @Test
  void combinationsOfNothing() {
    assertThat(kept(Filters.and())).isEqualTo(ROW);
    assertThat(kept(Filters.or())).isEmpty();
  }

  /** Returns a filter that judges each cell by itself. */
  private static Filter pureFilter(SplittableRandom random, int depth) {
    CompareOperator operator =
        CompareOperator.values()[random.nextInt(CompareOperator.values().length)];
    return switch (random.nextInt(depth > 0 ? 8 : 5)) {
      case 0 -> Filters.row(operator, bytes(random.nextBoolean() ? "row" : "q"));
      case 1 -> Filters.rowPrefix(bytes(random.nextBoolean() ? "r" : "s"));
      case 2 -> Filters.family(operator, bytes("f"));
      case 3 -> Filters.qualifier(operator, bytes("a"));
      case 4 -> Filters.timestamps(Set.of(7L));
      case 5 -> Filters.and(pureFilter(random, depth - 1), pureFilter(random, depth - 1));
      case 6 -> Filters.or(pureFilter(random, depth - 1), pureFilter(random, depth - 1));
      default -> Filters.not(pureFilter(random, depth - 1));
    };
  }

  private static boolean keeps(Filter filter, List<Cell> cell) {
    return filter.mayKeepRow(cell.get(0).row()) && !filter.keep(cell).isEmpty();
  }

  private static List<Cell> kept(Filter filter) {
    return filter.mayKeepRow(bytes("row")) ? filter.keep(ROW) : List.of();
  }

  private static Cell cell(String family, String qualifier, long timestamp, String value) {
    return new Cell(
        bytes("row"), bytes(family), bytes(qualifier), timestamp, CellType.PUT, bytes(value));
  }
}
