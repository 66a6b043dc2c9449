// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RankCorrelationTest {
  @Test
  void ranksCountAndValuesDoNot() {
    assertThat(of(1, 1, 2, 10, 3, 1000)).isEqualTo(1);
    assertThat(of(1, 9, 2, 8, 3, -5)).isEqualTo(-1);
    assertThat(of(1, 7, 2, 7, 3, 7)).isZero();
    // Ties share the middle of their places: 1.5, 1.5 and 3.
    assertThat(of(1, 5, 2, 5, 3, 6)).isCloseTo(1.5 / Math.sqrt(2 * 1.5), within(1e-12));
  }

  private static double of(double... xy) {
    return RankCorrelation.of(
        List.of(
            new double[] {xy[0], xy[1]}, new double[] {xy[2], xy[3]}, new double[] {xy[4], xy[5]}));
  }
}
