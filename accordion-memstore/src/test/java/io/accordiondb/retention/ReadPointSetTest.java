// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReadPointSetTest {
  @Test
  void aHostThatKnowsTheLowestPointHasReadersAtAllFromItOn() {
    ReadPointSet points = ReadPointSet.from(5);
    assertThat(points.smallest()).isEqualTo(5);
    assertThat(points.newest()).isEqualTo(5);
    assertThat(points.isAnyBetween(4, 5)).isFalse();
    assertThat(points.isAnyBetween(5, 6)).isTrue();
    assertThat(points.isAnyBetween(7, 8)).isTrue();
  }

  @Property
  void readersAreAtHeldPointsAndFromTheNewestOn(
      @ForAll @Size(max = 4) long @LongRange(max = 12) [] held,
      @ForAll @LongRange(max = 12) long newest,
      @ForAll @IntRange(max = 13) int earlier,
      @ForAll @IntRange(min = 1, max = 3) int distance) {
    ReadPointSet points = ReadPointSet.of(held, newest);
    boolean any = earlier + distance > newest;
    long smallest = newest;
    for (long point : held) {
      any |= point >= earlier && point < earlier + distance;
      smallest = Math.min(smallest, point);
    }
    assertThat(points.isAnyBetween(earlier, earlier + distance)).isEqualTo(any);
    assertThat(points.smallest()).isEqualTo(smallest);
    assertThat(points.newest()).isEqualTo(newest);
  }
}
