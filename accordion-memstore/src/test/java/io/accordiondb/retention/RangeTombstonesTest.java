// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RangeTombstonesTest {
  private static final byte[] EMPTY = {};
  private static final int ROWS = 8;
  private static final int MANY_ROWS = 60;

  /** A tombstone over rows from one number up to another; {@link #ROWS} for no end. */
  private record Range(int start, int end, long sequence) {
    boolean covers(int row) {
      return row >= start && row < end;
    }

    RangeTombstone tombstone() {
      return new RangeTombstone(
          start == 0 && end > 0 ? EMPTY : row(start), end == ROWS ? EMPTY : row(end), sequence);
    }

    RangeTombstone manyRowsTombstone() {
      return new RangeTombstone(
          start == 0 ? EMPTY : manyRow(start), end == MANY_ROWS ? EMPTY : manyRow(end), sequence);
    }
  }

  private static byte[] manyRow(int number) {
    return String.format("%02d", number).getBytes(US_ASCII);
  }

  private static byte[] row(int number) {
    return ("r" + number).getBytes(US_ASCII);
  }

  private static ByteBuffer key(byte[] row) {
    ByteBuffer key = ByteBuffer.allocate(KeyValueLayout.length(row.length, 0, 0, 0));
    KeyValueLayout.write(key, 0, row, EMPTY, EMPTY, 1, CellType.PUT.code(), EMPTY);
    return key;
  }

  private static List<Range> ranges(Random random, long firstSequence) {
    List<Range> ranges = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      int start = random.nextInt(ROWS);
      ranges.add(new Range(start, start + random.nextInt(ROWS - start + 1), firstSequence + i));
    }
    return ranges;
  }

  private static RangeTombstones setOf(List<Range> ranges) {
    return RangeTombstones.of(ranges.stream().map(Range::tombstone).toList());
  }

  private static long newest(List<Range> ranges, int row, long upTo) {
    return ranges.stream()
        .filter(range -> range.covers(row) && range.sequence() <= upTo)
        .mapToLong(Range::sequence)
        .max()
        .orElse(0);
  }

  private static void check(RangeTombstones set, List<Range> expected, long fromReadPoint) {
    DeletedRanges.Walk[] walks = new DeletedRanges.Walk[20];
    for (int row = 0; row < ROWS; row++) {
      for (int upTo = (int) fromReadPoint; upTo < walks.length; upTo++) {
        long answer = newest(expected, row, upTo);
        DeletedRanges deleted = DeletedRanges.NONE.and(set);
        assertThat(deleted.deletedBelow(key(row(row)), 0, upTo)).isEqualTo(answer);
        walks[upTo] = walks[upTo] == null ? deleted.walk(upTo) : walks[upTo];
        assertThat(walks[upTo].deletedBelow(key(row(row)), 0)).isEqualTo(answer);
      }
    }
  }

  @Property(tries = 500)
  void aSetCoversWhatItsTombstonesDo(@ForAll long seed) {
    Random random = new Random(seed);
    List<Range> first = ranges(random, 1);
    List<Range> second = ranges(random, 10);
    List<Range> all = new ArrayList<>(first);
    all.addAll(second);
    RangeTombstones set = setOf(first);
    check(set, first, 0);
    check(set.plus(setOf(second)), all, 0);
    check(setOf(all).minus(setOf(second)), first, 0);
    check(RangeTombstones.of(setOf(all).toList()), all, 0);
    assertThat(setOf(all).minus(setOf(all)).isEmpty()).isTrue();
    assertThat(setOf(all).maxSequence())
        .isEqualTo(
            all.stream()
                .filter(range -> range.start() < range.end())
                .mapToLong(Range::sequence)
                .max()
                .orElse(0));
  }

  @Property(tries = 500)
  void aPartOfASetCoversThatPart(@ForAll long seed) {
    Random random = new Random(seed);
    List<Range> all = ranges(random, 1);
    int start = random.nextInt(ROWS);
    int end = start + 1 + random.nextInt(ROWS - start);
    RangeTombstones part =
        setOf(all).within(start == 0 ? EMPTY : row(start), end == ROWS ? EMPTY : row(end));
    List<Range> clipped =
        all.stream()
            .map(r -> new Range(Math.max(start, r.start()), Math.min(end, r.end()), r.sequence()))
            .filter(range -> range.start() < range.end())
            .toList();
    check(part, clipped, 0);
    assertThat(setOf(all).touches(row(start), end == ROWS ? EMPTY : row(end), 2))
        .isEqualTo(clipped.stream().anyMatch(range -> range.sequence() > 2));
  }

  @Property(tries = 500)
  void tombstonesThatAreAddedOneByOneCoverTheSame(@ForAll long seed) {
    Random random = new Random(seed);
    List<Range> all = new ArrayList<>();
    RangeTombstones set = RangeTombstones.NONE;
    int readPoint = 0;
    for (int i = 1; i < 12; i++) {
      int start = random.nextInt(ROWS);
      Range range = new Range(start, start + random.nextInt(ROWS - start + 1), i);
      all.add(range);
      readPoint = Math.max(readPoint, random.nextInt(i));
      set = set.with(range.tombstone(), readPoint);
      check(set, all, readPoint);
    }
  }

  /** Concurrent writers add their tombstones in another order than that of the numbers. */
  @Property(tries = 200)
  void manyTombstonesOfConcurrentWritersCoverTheSame(@ForAll long seed) {
    Random random = new Random(seed);
    List<Range> waiting = new ArrayList<>();
    List<Range> added = new ArrayList<>();
    RangeTombstones set = RangeTombstones.NONE;
    RangeTombstones kept = set;
    List<Range> keptRanges = List.of();
    long keptReadPoint = 0;
    long readPoint = 0;
    for (int i = 1; i <= 200; i++) {
      int start = random.nextInt(MANY_ROWS);
      int length = 1 + random.nextInt(random.nextInt(4) == 0 ? MANY_ROWS : 3);
      waiting.add(new Range(start, Math.min(MANY_ROWS, start + length), i));
      if (waiting.size() < 4) {
        continue;
      }
      Range next = waiting.remove(random.nextInt(waiting.size()));
      added.add(next);
      long unseen = waiting.stream().mapToLong(Range::sequence).min().orElse(i) - 1;
      readPoint = random.nextInt(8) == 0 ? unseen : readPoint;
      set = set.with(next.manyRowsTombstone(), readPoint);
      if (random.nextInt(50) == 0) {
        kept = set;
        keptRanges = List.copyOf(added);
        keptReadPoint = readPoint;
      }
    }
    checkMany(random, set, added, readPoint);
    checkMany(random, kept, keptRanges, keptReadPoint);
    assertThat(set.size()).isLessThanOrEqualTo(added.size());
  }

  private static void checkMany(
      Random random, RangeTombstones set, List<Range> expected, long fromReadPoint) {
    for (int i = 0; i < 10; i++) {
      long upTo = fromReadPoint + random.nextInt(200);
      DeletedRanges.Walk inOrder = DeletedRanges.NONE.and(set).walk(upTo);
      DeletedRanges.Walk anywhere = DeletedRanges.NONE.and(set).walk(upTo);
      for (int row = 0; row < MANY_ROWS; row++) {
        long below = inOrder.deletedBelow(key(manyRow(row)), 0);
        assertThat(below).isEqualTo(newest(expected, row, upTo));
        if (below > 0) {
          assertThat(inOrder.newest().sequence()).isEqualTo(below);
        }
        int other = random.nextInt(MANY_ROWS);
        assertThat(anywhere.deletedBelow(key(manyRow(other)), 0))
            .isEqualTo(newest(expected, other, upTo));
      }
      int first = random.nextInt(MANY_ROWS);
      int last = first + random.nextInt(MANY_ROWS - first);
      // What is below the read point may be gone.
      long above = fromReadPoint + random.nextInt(50);
      assertThat(set.touches(manyRow(first), manyRow(last + 1), above))
          .isEqualTo(
              expected.stream()
                  .anyMatch(
                      range ->
                          range.sequence() > above
                              && range.start() <= last
                              && range.end() > first));
      assertThat(set.cover(manyRow(first), manyRow(last), above, upTo))
          .isEqualTo(
              IntStream.rangeClosed(first, last)
                  .allMatch(
                      row ->
                          expected.stream()
                              .anyMatch(
                                  range ->
                                      range.sequence() > above
                                          && range.sequence() <= upTo
                                          && range.covers(row))));
    }
  }

  @Property(tries = 500)
  void readersFromAReadPointOnSeeTheSame(@ForAll long seed) {
    Random random = new Random(seed);
    List<Range> all = ranges(random, 1);
    int readPoint = random.nextInt(8);
    check(setOf(all).seenFrom(readPoint), all, readPoint);
  }

  @Test
  void tombstonesOfAQueuesHeadBecomeOne() {
    RangeTombstones set = RangeTombstones.NONE;
    for (int i = 1; i < 10_000; i++) {
      byte[] end = String.format("%08d", i).getBytes(US_ASCII);
      set = set.with(new RangeTombstone(EMPTY, end, i), i - 1);
    }
    assertThat(set.size()).isLessThanOrEqualTo(3);
    assertThat(set.heapBytes()).isLessThan(500);
  }

  @Test
  void tombstonesThatLaterOnesCoverTogetherAreGone() {
    RangeTombstones set =
        RangeTombstones.of(
            List.of(
                new RangeTombstone(row(1), row(5), 4),
                new RangeTombstone(row(0), row(3), 5),
                new RangeTombstone(row(3), row(6), 6)));

    assertThat(set.seenFrom(5).toList()).hasSize(3);
    assertThat(set.seenFrom(6).toList())
        .extracting(RangeTombstone::sequence)
        .containsExactly(5L, 6L);
  }

  @Test
  void aPartOfATombstoneIsTakenAway() {
    RangeTombstones set = RangeTombstones.of(List.of(new RangeTombstone(EMPTY, EMPTY, 4)));
    RangeTombstones part = RangeTombstones.of(List.of(new RangeTombstone(row(2), row(3), 4)));

    assertThat(set.minus(part).toList())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new RangeTombstone(EMPTY, row(2), 4), new RangeTombstone(row(3), EMPTY, 4));
  }

  @Test
  void aTombstoneThatOthersCutIsListedWhole() {
    RangeTombstone wide = new RangeTombstone(row(1), row(6), 4);
    RangeTombstone narrow = new RangeTombstone(row(2), row(3), 5);

    assertThat(RangeTombstones.of(List.of(wide, narrow)).toList())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(wide, narrow);
  }

  @Test
  void aTombstoneThatAllReadersSeeReplacesOlderOnes() {
    RangeTombstone older = new RangeTombstone(row(1), row(3), 4);
    RangeTombstone newer = new RangeTombstone(row(1), row(3), 7);
    RangeTombstones both = RangeTombstones.of(List.of(older, newer));

    assertThat(both.seenFrom(6)).isEqualTo(both).isNotEqualTo(both.seenFrom(7));
    assertThat(both.seenFrom(7)).isEqualTo(RangeTombstones.of(List.of(newer)));
    assertThat(both.seenFrom(7).heapBytes()).isBetween(1L, both.heapBytes() - Long.BYTES);
  }

  @Test
  void aRangeIsTouchedByATombstoneAboveANumberAlone() {
    RangeTombstones set =
        RangeTombstones.of(
            List.of(new RangeTombstone(row(1), row(2), 5), new RangeTombstone(row(4), row(5), 9)));

    assertThat(set.touches(row(1), row(2), 4)).isTrue();
    assertThat(set.touches(row(1), row(2), 5)).isFalse();
    assertThat(set.touches(row(2), row(4), 4)).isFalse();
  }

  @Test
  void aRangeThatEndsBeforeItBeginsCoversNothing() {
    assertThat(RangeTombstones.of(List.of(new RangeTombstone(row(3), row(2), 5))).isEmpty())
        .isTrue();
    assertThat(RangeTombstones.of(List.of(new RangeTombstone(row(3), row(3), 5))).isEmpty())
        .isTrue();
  }
}
