// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * A compaction is right if no reader can tell that it has happened. Readers are at each read point
 * that is held and at any from the newest on, at the time of the compaction or later, and ask in
 * all ways.
 *
 * <p>Two cases are left out, in which HBase's readers can tell as well. A marker of one exact
 * version, written after a compaction has dropped an older version beyond the limit of versions, or
 * one that a put had hidden which was expired, would have brought that back: see {@link
 * #withoutLateExactMarkers}. And a deleted version that is dropped when its marker expires no
 * longer counts against older deleted ones, which a compaction may have dropped before: see {@link
 * #requests}.
 */
class RetentionFilterModelTest {
  private static final int SOURCES = 5;

  /** A history, the rules, and when and for whom it is compacted. */
  record Scenario(
      List<ModelCell> history,
      VersionRules rules,
      ReadPointSet readPoints,
      long now,
      boolean dropsDeleteMarkers,
      boolean someExpire) {

    /** Families that keep deleted cells have no puts that expire by themselves. */
    Scenario expiringOnlyWhereAllowed() {
      return rules.keepDeleted() == KeepDeletedCells.FALSE
          ? this
          : new Scenario(
              Histories.lasting(history), rules, readPoints, now, dropsDeleteMarkers, false);
    }

    RetentionFilter filter() {
      return filter(dropsDeleteMarkers);
    }

    RetentionFilter keepingMarkers() {
      return filter(false);
    }

    private RetentionFilter filter(boolean dropsMarkers) {
      return new RetentionFilter(
          rules, expiry(), readPoints, now, dropsMarkers ? Long.MAX_VALUE : 0);
    }

    long smallestReadPoint() {
      return readPoints.smallest();
    }

    private boolean isReadAt(long readPoint) {
      return readPoints.isAnyBetween(readPoint, readPoint + 1);
    }

    /** Returns whether puts expire by themselves. */
    boolean putsExpire() {
      return someExpire || history.stream().anyMatch(ModelCell::hasTtl);
    }

    @Nullable CellExpiry expiry() {
      return someExpire ? Histories.EXPIRY : null;
    }
  }

  @Property(tries = 4000)
  void noReaderCanTellThatACompactionHasHappened(@ForAll("scenarios") Scenario scenario) {
    List<ModelCell> history = withoutLateExactMarkers(scenario, scenario.smallestReadPoint());
    FilteredCells before = new FilteredCells(history);
    FilteredCells after = before.compacted(scenario.filter());
    assertSameForAllReaders(before, after, scenario);
  }

  @Property(tries = 4000)
  void compactingPartByPartShowsReadersTheSame(
      @ForAll("scenarios") Scenario scenario, @ForAll("parts") List<Integer> cuts) {
    long first = Math.min(cuts.get(0), cuts.get(1));
    long second = Math.max(cuts.get(0), cuts.get(1));
    // The first part to be compacted does not know of exact markers in the others.
    List<ModelCell> history =
        withoutLateExactMarkers(scenario, Math.min(first, scenario.smallestReadPoint()));
    List<ModelCell> parts = new ArrayList<>();
    parts.addAll(part(history, 0, first).compacted(scenario.keepingMarkers()).cells());
    parts.addAll(part(history, first, second).compacted(scenario.keepingMarkers()).cells());
    parts.addAll(
        part(history, second, Long.MAX_VALUE).compacted(scenario.keepingMarkers()).cells());

    FilteredCells before = new FilteredCells(history);
    FilteredCells joined = new FilteredCells(parts);
    assertSameForAllReaders(before, joined, scenario);
    assertSameForAllReaders(before, joined.compacted(scenario.filter()), scenario);
  }

  /** The newest part stays in memory, as it is, while all older ones become one. */
  @Property(tries = 2000)
  void compactingAllButTheNewestShowsReadersTheSame(
      @ForAll("scenarios") Scenario scenario, @ForAll("parts") List<Integer> cuts) {
    long cut = cuts.get(0);
    List<ModelCell> history =
        withoutLateExactMarkers(scenario, Math.min(cut, scenario.smallestReadPoint()));
    List<ModelCell> parts = new ArrayList<>();
    parts.addAll(part(history, 0, cut).compacted(scenario.filter()).cells());
    parts.addAll(part(history, cut, Long.MAX_VALUE).cells());
    assertSameForAllReaders(new FilteredCells(history), new FilteredCells(parts), scenario);
  }

  /**
   * The cells lie in sources in no order of their numbers, as ingested files and writers that
   * overtake each other leave them, and any of the sources are compacted, again and again.
   */
  @Property(tries = 6000)
  void compactingAnySourcesShowsReadersTheSame(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("places") List<Integer> places,
      @ForAll("choices") List<List<Integer>> choices) {
    compactAny(scenario, withoutLateExactMarkers(scenario, 0), places, choices);
  }

  /** An exact marker takes from a put what it hides when it expires, wherever the marker is. */
  @Property(tries = 6000)
  void compactingAnySourcesOfExpiringPutsShowsReadersTheSame(
      @ForAll("scenarios") Scenario any,
      @ForAll("places") List<Integer> places,
      @ForAll("choices") List<List<Integer>> choices) {
    compactAnyOfExpiringPuts(any, places, choices);
  }

  @Property(tries = 200_000)
  @Tag("long")
  void compactingAnySourcesOfExpiringPutsShowsReadersTheSameForALongTime(
      @ForAll("scenarios") Scenario any,
      @ForAll("places") List<Integer> places,
      @ForAll("choices") List<List<Integer>> choices) {
    compactAnyOfExpiringPuts(any, places, choices);
  }

  private static void compactAnyOfExpiringPuts(
      Scenario any, List<Integer> places, List<List<Integer>> choices) {
    Scenario scenario =
        new Scenario(
            any.history(),
            new VersionRules(
                Histories.TIMESTAMP_MAX, 0, VersionRules.FOREVER, KeepDeletedCells.FALSE),
            any.readPoints(),
            any.now(),
            false,
            any.someExpire());
    compactAny(scenario, scenario.history(), places, choices);
  }

  private static void compactAny(
      Scenario scenario,
      List<ModelCell> history,
      List<Integer> places,
      List<List<Integer>> choices) {
    List<List<ModelCell>> sources = HeldCells.spread(history, places, SOURCES);
    for (List<Integer> chosen : choices) {
      List<Integer> inputs = chosen.stream().filter(i -> !sources.get(i).isEmpty()).toList();
      if (!inputs.isEmpty()) {
        compact(sources, inputs, scenario);
        List<ModelCell> left = sources.stream().flatMap(List::stream).toList();
        assertSameForAllReaders(new FilteredCells(history), new FilteredCells(left), scenario);
      }
    }
  }

  private static void compact(
      List<List<ModelCell>> sources, List<Integer> inputs, Scenario scenario) {
    List<ModelCell> given = inputs.stream().flatMap(i -> sources.get(i).stream()).toList();
    UnseenHistory unseen =
        HeldCells.unseen(sources, inputs, scenario.readPoints(), scenario.expiry() != null);
    RetentionFilter filter =
        new RetentionFilter(scenario.rules(), scenario.expiry(), unseen, scenario.now());
    inputs.forEach(i -> sources.get(i).clear());
    sources.get(inputs.get(0)).addAll(new FilteredCells(given).compacted(filter).cells());
  }

  @Property(tries = 2000)
  void compactingAgainDropsNothingMore(@ForAll("scenarios") Scenario scenario) {
    FilteredCells once = new FilteredCells(scenario.history()).compacted(scenario.filter());
    assertThat(once.compacted(scenario.filter()).cells()).isEqualTo(once.cells());
  }

  /** Without readers of the past, what is left is what can be seen, and nothing else. */
  @Property(tries = 2000)
  void aMajorCompactionLeavesWhatCanBeSeen(@ForAll("scenarios") Scenario scenario) {
    VersionRules rules =
        new VersionRules(
            scenario.rules().maxVersions(),
            scenario.rules().minVersions(),
            scenario.rules().ttlMillis(),
            KeepDeletedCells.FALSE);
    FilteredCells all = new FilteredCells(scenario.history());
    RetentionFilter filter =
        new RetentionFilter(
            rules,
            scenario.expiry(),
            ReadPointSet.from(Long.MAX_VALUE),
            scenario.now(),
            Long.MAX_VALUE);
    List<ModelCell> left = all.compacted(filter).cells();
    List<ModelCell> seen =
        ReadModel.read(
            scenario.history(),
            rules,
            scenario.someExpire(),
            ReadRequest.allAt(Long.MAX_VALUE, scenario.now()));
    if (scenario.putsExpire()) {
      // What comes to light when another put expires is left, too.
      assertThat(left).containsAll(seen);
    } else {
      assertThat(left).isEqualTo(seen);
    }
  }

  @Property(tries = 1000)
  void cellsAboveTheNewestReadPointStay(@ForAll("scenarios") Scenario scenario) {
    FilteredCells after = new FilteredCells(scenario.history()).compacted(scenario.filter());
    assertThat(after.cells())
        .containsAll(
            scenario.history().stream()
                .filter(cell -> cell.sequence() > scenario.readPoints().newest())
                .toList());
  }

  /** A compaction that knows where columns begin asks otherwise than one that does not. */
  @Property(tries = 2000)
  void announcedColumnsAndVersionsAreJudgedAlike(@ForAll("scenarios") Scenario scenario) {
    List<ModelCell> cells = new FilteredCells(scenario.history()).cells();
    RetentionFilter plain = scenario.filter();
    RetentionFilter announced = scenario.filter();
    ModelCell last = null;
    for (ModelCell cell : cells) {
      ByteBuffer bytes = cell.encode();
      int length = cell.length();
      boolean kept;
      if (last == null) {
        kept = announced.keeps(bytes, 0, length, cell.sequence());
      } else if (cell.sameColumn(last)) {
        kept = announced.keepsNextVersion(bytes, 0, length, cell.sequence());
      } else {
        kept = announced.keepsNextColumn(bytes, 0, length, cell.sequence());
      }
      assertThat(kept)
          .as("%s of %s", cell, cells)
          .isEqualTo(plain.keeps(bytes, 0, length, cell.sequence()));
      last = cell;
    }
  }

  private static void assertSameForAllReaders(
      FilteredCells before, FilteredCells after, Scenario scenario) {
    assertThat(before.cells()).containsAll(after.cells());
    long last = Math.max(scenario.smallestReadPoint(), scenario.history().size());
    for (long readPoint = scenario.smallestReadPoint(); readPoint <= last; readPoint++) {
      if (!scenario.isReadAt(readPoint)) {
        continue;
      }
      assertThat(HeldCells.rowsWrittenAfter(readPoint, after.cells()))
          .as("rows written after %s in %s", readPoint, after.cells())
          .isEqualTo(HeldCells.rowsWrittenAfter(readPoint, before.cells()));
      for (long now : new long[] {scenario.now(), scenario.now() + 1, scenario.now() + 4}) {
        for (ReadRequest request : requests(scenario, readPoint, now)) {
          assertThat(after.read(scenario.rules(), scenario.expiry(), request, false))
              .as("%s after %s", request, after.cells())
              .isEqualTo(before.read(scenario.rules(), scenario.expiry(), request, false));
        }
      }
    }
  }

  /** Returns requests of the present and, unless markers expire meanwhile, of the past. */
  private static List<ReadRequest> requests(Scenario scenario, long readPoint, long now) {
    List<ReadRequest> requests = new ArrayList<>();
    requests.add(ReadRequest.allAt(readPoint, now));
    requests.add(new ReadRequest(readPoint, now, 1, 2, Long.MAX_VALUE));
    VersionRules rules = scenario.rules();
    if (rules.keepDeleted() != KeepDeletedCells.TTL
        || rules.minVersions() == 0
        || now == scenario.now()) {
      LongStream.rangeClosed(2, Histories.TIMESTAMP_MAX)
          .forEach(max -> requests.add(new ReadRequest(readPoint, now, 2, Long.MIN_VALUE, max)));
    }
    return requests;
  }

  private static FilteredCells part(List<ModelCell> history, long after, long upTo) {
    return new FilteredCells(
        history.stream()
            .filter(cell -> cell.sequence() > after && cell.sequence() <= upTo)
            .toList());
  }

  /**
   * Leaves out markers of exact versions that were written after {@code known}, up to which a
   * compaction takes markers into account, unless the rules have room for every version there is
   * and no put expires by itself.
   */
  private static List<ModelCell> withoutLateExactMarkers(Scenario scenario, long known) {
    VersionRules rules = scenario.rules();
    boolean room =
        !scenario.putsExpire()
            && rules.maxVersions() >= Histories.TIMESTAMP_MAX
            && (rules.minVersions() == 0 || rules.ttlMillis() == VersionRules.FOREVER);
    return scenario.history().stream()
        .filter(cell -> room || cell.sequence() <= known || !isExact(cell))
        .toList();
  }

  private static boolean isExact(ModelCell cell) {
    return cell.type() == CellType.DELETE || cell.type() == CellType.DELETE_FAMILY_VERSION;
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Combinators.combine(
            Histories.histories(),
            Histories.rules(),
            readPoints(),
            Arbitraries.longs().between(0, Histories.NOW_MAX),
            Arbitraries.of(true, false),
            Arbitraries.of(true, false))
        .as(Scenario::new)
        .map(Scenario::expiringOnlyWhereAllowed);
  }

  private static Arbitrary<ReadPointSet> readPoints() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 15).array(long[].class).ofMaxSize(3),
            Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.longs().between(0, 15)),
                Tuple.of(2, Arbitraries.just(15L))))
        .as(ReadPointSet::of);
  }

  @Provide
  Arbitrary<List<Integer>> places() {
    return Arbitraries.integers().between(0, SOURCES - 1).list().ofSize(14);
  }

  @Provide
  Arbitrary<List<List<Integer>>> choices() {
    Arbitrary<List<Integer>> choice =
        Arbitraries.integers().between(0, SOURCES - 1).set().ofMinSize(1).map(List::copyOf);
    return choice.list().ofMinSize(1).ofMaxSize(3);
  }

  @Provide
  Arbitrary<List<Integer>> parts() {
    return Arbitraries.integers().between(0, 14).list().ofSize(2);
  }
}
