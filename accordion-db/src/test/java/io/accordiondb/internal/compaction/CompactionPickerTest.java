// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.compaction.CompactionPicker.Run;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompactionPickerTest {
  private final CompactionPicker busy = CompactionPicker.withDefaults(1);
  private final CompactionPicker idle = CompactionPicker.whileIdle(1);

  @Test
  void takesAsManyFilesOfAboutOneSizeAsThereAre() {
    assertThat(busy.pick(List.of(10L, 10L, 10L, 10L))).isEqualTo(Run.NONE);
    assertThat(busy.pick(List.of(10L, 11L, 9L, 10L, 12L, 1000L))).isEqualTo(new Run(0, 5));
  }

  @Test
  void takesTheCheapestRunWhereFilesAreTooMany() {
    List<Long> powers = List.of(1L, 3L, 9L, 27L, 81L, 243L, 729L, 2187L, 6561L, 19_683L, 59_049L);
    assertThat(busy.pick(powers)).isEqualTo(Run.NONE);
    List<Long> more = List.of(1L, 3L, 9L, 27L, 81L, 243L, 729L, 2187L, 6561L, 19_683L, 59_049L, 9L);
    assertThat(busy.pick(more)).isEqualTo(new Run(0, 5));
  }

  @Test
  void whileIdleTwoFilesAreEnough() {
    assertThat(idle.pick(List.of(10L))).isEqualTo(Run.NONE);
    assertThat(idle.pick(List.of(10L, 20L))).isEqualTo(new Run(0, 2));
    assertThat(idle.pick(List.of(5L, 20L, 10L, 15L, 20L, 161L))).isEqualTo(new Run(0, 5));
    assertThat(idle.pick(List.of(5L, 20L, 20L, 20L, 20L, 161L))).isEqualTo(new Run(0, 6));
  }

  @Test
  void whileIdleALargeFileIsNotWrittenAgainForLittle() {
    assertThat(idle.pick(List.of(10L, 21L))).isEqualTo(Run.NONE);
    assertThat(idle.pick(List.of(3L, 10L, 100L))).isEqualTo(Run.NONE);
  }

  @Test
  void takesNoMoreBytesThanAllowed() {
    assertThat(idle.pick(List.of(10L, 10L, 10L), 30)).isEqualTo(new Run(0, 3));
    assertThat(idle.pick(List.of(10L, 10L, 10L), 29)).isEqualTo(new Run(0, 2));
    assertThat(idle.pick(List.of(10L, 10L, 10L), 19)).isEqualTo(Run.NONE);
  }
}
