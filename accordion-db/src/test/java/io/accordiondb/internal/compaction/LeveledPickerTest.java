// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.compaction.LeveledPicker.File;
import io.accordiondb.internal.compaction.LeveledPicker.Pick;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeveledPickerTest {
  private final LeveledPicker picker = new LeveledPicker(2, 10, 100, 10);

  private static File file(int level, long bytes, long sequence, String first, String last) {
    return new File(level, bytes, sequence, first.getBytes(US_ASCII), last.getBytes(US_ASCII));
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
    assertThat(pick.hasOldest()).isTrue();
  }

  @Test
  void markersStayWhileADeeperLevelSharesRows() {
    Pick pick =
        picker.pick(
            List.of(file(0, 10, 9, "c", "d"), file(0, 10, 8, "e", "f"), file(2, 10, 3, "f", "z")));
    assertThat(pick.hasOldest()).isFalse();
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
    assertThat(pick.hasOldest()).isTrue();
  }

  @Test
  void bottomLevelHasRoomForAll() {
    assertThat(picker.bottomLevel(List.of(file(0, 100, 1, "a", "b")))).isEqualTo(1);
    assertThat(picker.bottomLevel(List.of(file(0, 101, 1, "a", "b")))).isEqualTo(2);
    assertThat(picker.bottomLevel(List.of(file(3, 1, 1, "a", "b")))).isEqualTo(3);
  }
}
