// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.compaction.LeveledPicker.File;
import io.accordiondb.internal.compaction.LeveledPicker.Pick;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LeveledPickerTest {
  private final LeveledPicker picker = new LeveledPicker(2, 10, 100, 10);

  private static File file(int level, long bytes, long sequence, String first, String last) {
    return new File(
        level, bytes, sequence, new RowRange(first.getBytes(US_ASCII), last.getBytes(US_ASCII)));
  }

  @Test
  void nothingIsDueWhereLevelsAreSmall() {
    assertThat(picker.pick(List.of())).isEqualTo(Pick.NONE);
    assertThat(picker.pick(List.of(file(0, 50, 9, "a", "z"), file(1, 100, 5, "a", "z"))))
        .isEqualTo(Pick.NONE);
  }

  @Test
  void allOfLevelZeroGoesWithWhatSharesItsRows() {
    Pick pick =
        picker.pick(
            List.of(
                file(0, 10, 9, "c", "d"),
                file(0, 10, 8, "e", "f"),
                file(1, 10, 5, "a", "b"),
                file(1, 10, 5, "d", "e"),
                file(2, 10, 3, "x", "z")));
    assertThat(pick.inputs()).containsExactly(0, 1, 3);
    assertThat(pick.level()).isEqualTo(1);
  }

  @Test
  void oldestFileOfALevelThatIsTooLargeGoesDown() {
    Pick pick =
        picker.pick(
            List.of(
                file(1, 60, 9, "a", "c"),
                file(1, 60, 5, "d", "f"),
                file(2, 10, 3, "e", "e"),
                file(2, 10, 3, "g", "h")));
    assertThat(pick.inputs()).containsExactly(1, 2);
    assertThat(pick.level()).isEqualTo(2);
  }

  @Test
  void bottomLevelHasRoomForAll() {
    assertThat(picker.bottomLevel(List.of(file(0, 100, 1, "a", "b")))).isEqualTo(1);
    assertThat(picker.bottomLevel(List.of(file(0, 101, 1, "a", "b")))).isEqualTo(2);
    assertThat(picker.bottomLevel(List.of(file(3, 1, 1, "a", "b")))).isEqualTo(3);
  }

  @Test
  void filesBetweenTheInputsAreMergedWithThem() {
    Pick pick =
        picker.pick(
            List.of(file(0, 10, 9, "a", "b"), file(0, 10, 8, "y", "z"), file(1, 10, 5, "m", "n")));
    assertThat(pick.inputs()).containsExactly(0, 1, 2);
  }

  @Test
  void whatIsMergedTakesWhatItOverlapsInTurn() {
    Pick pick =
        picker.pick(
            List.of(
                file(0, 10, 9, "e", "f"),
                file(0, 10, 8, "e", "f"),
                file(1, 10, 5, "a", "c"),
                file(1, 10, 5, "c", "e"),
                file(1, 10, 5, "g", "h")));
    assertThat(pick.inputs()).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  /** Files hold rows here and there, and compactions cut what they merge anywhere. */
  @Test
  void levelsStayDisjoint() {
    Random random = new Random(3);
    List<Held> files = new ArrayList<>();
    for (long step = 1; step <= 2_000; step++) {
      files.add(new Held(0, step, rows(random)));
      Pick pick = picker.pick(files.stream().map(Held::facts).toList());
      while (!pick.inputs().isEmpty()) {
        merge(files, pick, random);
        assertDisjoint(files);
        pick = picker.pick(files.stream().map(Held::facts).toList());
      }
    }
    assertThat(files.stream().mapToInt(Held::level).max()).hasValue(3);
  }

  private record Held(int level, long sequence, TreeSet<Integer> rows) {
    File facts() {
      return new File(
          level, 10L * rows.size(), sequence, new RowRange(row(rows.first()), row(rows.last())));
    }

    private static byte[] row(int number) {
      return new byte[] {(byte) (number >> 8), (byte) number};
    }
  }

  private static TreeSet<Integer> rows(Random random) {
    int first = random.nextInt(900);
    int width = 1 + random.nextInt(random.nextInt(4) == 0 ? 100 : 5);
    TreeSet<Integer> rows = new TreeSet<>();
    for (int i = 0; i < 3; i++) {
      rows.add(first + random.nextInt(width));
    }
    return rows;
  }

  private static void merge(List<Held> files, Pick pick, Random random) {
    List<Held> inputs = pick.inputs().stream().map(files::get).toList();
    files.removeAll(inputs);
    long sequence = inputs.stream().mapToLong(Held::sequence).max().orElseThrow();
    TreeSet<Integer> part = new TreeSet<>();
    TreeSet<Integer> rows = new TreeSet<>();
    inputs.forEach(input -> rows.addAll(input.rows));
    for (int row : rows) {
      part.add(row);
      if (random.nextInt(6) == 0 || row == rows.last()) {
        files.add(new Held(pick.level(), sequence, part));
        part = new TreeSet<>();
      }
    }
  }

  private static void assertDisjoint(List<Held> files) {
    for (int level = 1; level <= 4; level++) {
      int last = -1;
      for (Held file : ofLevel(files, level)) {
        assertThat(file.rows.first())
            .as("first row of a file of level %d", level)
            .isGreaterThan(last);
        last = file.rows.last();
      }
    }
  }

  private static List<Held> ofLevel(List<Held> files, int level) {
    return files.stream()
        .filter(file -> file.level == level)
        .sorted(Comparator.comparing((Held file) -> file.rows.first()))
        .toList();
  }
}
