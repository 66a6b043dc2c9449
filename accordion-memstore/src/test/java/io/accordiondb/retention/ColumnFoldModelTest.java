// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;

/**
 * A compaction of a family whose operator appends is right if no reader can tell that it has
 * happened. Any of several sources are compacted, again and again.
 */
class ColumnFoldModelTest {
  private static final int CELLS = 14;
  private static final int SOURCES = 4;
  private static final List<String> ROWS = List.of("r", "s");
  private static final List<String> QUALIFIERS = List.of("", "q");

  @Property(tries = 10_000)
  void noReaderCanTellThatCellsWereCombined(
      @ForAll("histories") List<ModelCell> history,
      @ForAll("readPoints") ReadPointSet readPoints,
      @ForAll("places") List<Integer> places,
      @ForAll("choices") List<List<Integer>> choices) {
    List<List<ModelCell>> sources = HeldCells.spread(history, places, SOURCES);
    for (List<Integer> chosen : choices) {
      List<Integer> inputs = chosen.stream().filter(i -> !sources.get(i).isEmpty()).toList();
      if (!inputs.isEmpty()) {
        compact(sources, inputs, readPoints, VersionRules.DEFAULT, 0);
        assertSame(history, sources.stream().flatMap(List::stream).toList(), readPoints);
      }
    }
  }

  /** The commit of a transaction finds what was written since, even if it has expired. */
  @Property(tries = 2000)
  void rowsThatWereWrittenAfterAReadPointAreFound(
      @ForAll("histories") List<ModelCell> history,
      @ForAll("readPoints") ReadPointSet readPoints,
      @ForAll("places") List<Integer> places,
      @ForAll("choices") List<List<Integer>> choices,
      @ForAll @LongRange(max = 5) long now) {
    VersionRules expiring = new VersionRules(1, 0, 1, KeepDeletedCells.FALSE);
    List<List<ModelCell>> sources = HeldCells.spread(history, places, SOURCES);
    for (List<Integer> chosen : choices) {
      List<Integer> inputs = chosen.stream().filter(i -> !sources.get(i).isEmpty()).toList();
      if (!inputs.isEmpty()) {
        compact(sources, inputs, readPoints, expiring, now);
      }
    }
    List<ModelCell> left = sources.stream().flatMap(List::stream).toList();
    for (long readPoint = readPoints.smallest(); readPoint <= CELLS; readPoint++) {
      if (readPoints.isAnyBetween(readPoint, readPoint + 1)) {
        assertThat(HeldCells.rowsWrittenAfter(readPoint, left))
            .as("rows written after %s in %s", readPoint, left)
            .isEqualTo(HeldCells.rowsWrittenAfter(readPoint, history));
      }
    }
  }

  /** Of operands that the same readers see, one is left. */
  @Property(tries = 500)
  void asManyOperandsAreLeftAsReadersTellApart(@ForAll("readPoints") ReadPointSet readPoints) {
    List<ModelCell> operands = new ArrayList<>();
    for (int i = 1; i <= readPoints.newest(); i++) {
      operands.add(cell("r", "q", i, CellType.MERGE, i));
    }
    List<List<ModelCell>> sources = new ArrayList<>(List.of(operands));
    long told =
        operands.stream()
            .mapToLong(ModelCell::sequence)
            .filter(sequence -> readPoints.isAnyBetween(sequence, sequence + 1))
            .count();
    if (!operands.isEmpty()) {
      compact(sources, List.of(0), readPoints, VersionRules.DEFAULT, 0);
    }
    assertThat(sources.get(0)).hasSize((int) told);
  }

  private static void compact(
      List<List<ModelCell>> sources,
      List<Integer> inputs,
      ReadPointSet readPoints,
      VersionRules rules,
      long now) {
    List<ModelCell> given = inputs.stream().flatMap(i -> sources.get(i).stream()).toList();
    UnseenHistory unseen = HeldCells.unseen(sources, inputs, readPoints, false);
    ColumnFold fold = new ColumnFold(new Appending(), rules, unseen, now, unseen.oldest());
    inputs.forEach(i -> sources.get(i).clear());
    sources.get(inputs.get(0)).addAll(folded(given, fold));
  }

  private static List<ModelCell> folded(List<ModelCell> cells, ColumnFold fold) {
    List<ModelCell> kept = new ArrayList<>();
    List<ModelCell> sorted = cells.stream().sorted().toList();
    for (int at = 0; at < sorted.size(); ) {
      ModelCell column = sorted.get(at);
      fold.startColumn();
      for (; at < sorted.size() && sorted.get(at).sameColumn(column); at++) {
        ByteBuffer bytes = sorted.get(at).encode();
        fold.add(bytes, 0, bytes.limit(), sorted.get(at).sequence());
      }
      fold.finish();
      for (int i = 0; i < fold.kept(); i++) {
        kept.add(ModelCell.read(fold.buffer(i), fold.offset(i), fold.sequence(i)));
      }
    }
    return kept;
  }

  private static void assertSame(
      List<ModelCell> before, List<ModelCell> after, ReadPointSet readPoints) {
    for (long readPoint = readPoints.smallest(); readPoint <= CELLS; readPoint++) {
      if (!readPoints.isAnyBetween(readPoint, readPoint + 1)) {
        continue;
      }
      for (String row : ROWS) {
        for (String qualifier : QUALIFIERS) {
          assertThat(read(after, row, qualifier, readPoint))
              .as("%s, %s at %s of %s", row, qualifier, readPoint, after)
              .isEqualTo(read(before, row, qualifier, readPoint));
        }
      }
    }
  }

  /** Returns the value of a column, or null if it has none. */
  private static @Nullable String read(
      List<ModelCell> cells, String row, String qualifier, long readPoint) {
    List<ModelCell> seen =
        cells.stream()
            .filter(cell -> cell.row().equals(row) && cell.sequence() <= readPoint)
            .filter(
                cell -> cell.type() == CellType.DELETE_FAMILY || cell.qualifier().equals(qualifier))
            .sorted(Comparator.comparingLong(ModelCell::sequence))
            .toList();
    String value = null;
    for (ModelCell cell : seen) {
      value =
          switch (cell.type()) {
            case PUT -> cell.value();
            case MERGE -> (value == null ? "" : value) + cell.value();
            default -> null;
          };
    }
    return value;
  }

  /** An operator whose result shows each operand, and their order. */
  private static final class Appending implements OperandMerge {
    @Override
    public String name() {
      return "append";
    }

    @Override
    public int valueBytesMax() {
      return Short.MAX_VALUE;
    }

    @Override
    public byte[] combine(List<byte[]> operands) {
      return apply(null, operands);
    }

    @Override
    public byte[] apply(byte @Nullable [] value, List<byte[]> operands) {
      String before = value == null ? "" : new String(value, ISO_8859_1);
      return operands.stream()
          .map(operand -> new String(operand, ISO_8859_1))
          .collect(Collectors.joining("", before, ""))
          .getBytes(ISO_8859_1);
    }

    @Override
    public void onFailure(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  private static ModelCell cell(
      String row, String qualifier, long timestamp, CellType type, long sequence) {
    boolean hasValue = type == CellType.PUT || type == CellType.MERGE;
    return new ModelCell(
        row,
        "",
        type == CellType.DELETE_FAMILY ? "" : qualifier,
        timestamp,
        type,
        sequence,
        hasValue ? Character.toString((char) ('a' + sequence)) : "");
  }

  @Provide
  Arbitrary<List<ModelCell>> histories() {
    Arbitrary<CellType> types =
        Arbitraries.frequency(
            Tuple.of(8, CellType.MERGE),
            Tuple.of(2, CellType.PUT),
            Tuple.of(2, CellType.DELETE_COLUMN),
            Tuple.of(1, CellType.DELETE_FAMILY));
    return Combinators.combine(
            Arbitraries.frequency(Tuple.of(5, "r"), Tuple.of(1, "s")),
            Arbitraries.frequency(Tuple.of(3, "q"), Tuple.of(1, "")),
            Arbitraries.longs().between(1, 3),
            types)
        .as((row, qualifier, timestamp, type) -> cell(row, qualifier, timestamp, type, 0))
        .list()
        .ofMinSize(1)
        .ofMaxSize(CELLS)
        .map(ColumnFoldModelTest::numbered);
  }

  private static List<ModelCell> numbered(List<ModelCell> cells) {
    List<ModelCell> numbered = new ArrayList<>();
    for (ModelCell cell : cells) {
      numbered.add(
          cell(cell.row(), cell.qualifier(), cell.timestamp(), cell.type(), numbered.size() + 1));
    }
    return numbered;
  }

  @Provide
  Arbitrary<ReadPointSet> readPoints() {
    return Combinators.combine(
            Arbitraries.longs().between(0, CELLS).array(long[].class).ofMaxSize(3),
            Arbitraries.longs().between(0, CELLS))
        .as(ReadPointSet::of);
  }

  @Provide
  Arbitrary<List<Integer>> places() {
    return Arbitraries.integers().between(0, SOURCES - 1).list().ofSize(CELLS);
  }

  @Provide
  Arbitrary<List<List<Integer>>> choices() {
    Arbitrary<List<Integer>> choice =
        Arbitraries.integers().between(0, SOURCES - 1).set().ofMinSize(1).map(List::copyOf);
    return choice.list().ofMinSize(1).ofMaxSize(3);
  }
}
