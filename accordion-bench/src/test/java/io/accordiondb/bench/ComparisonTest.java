// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.bench.engine.EngineFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static BenchResult result(String engine, double rate) {
    return new BenchResult(
        engine, "WRITE", "", 1, 1, rate, null, new EngineFigures(0, 0, 0, 0, 0), 0, 0, 0);
  }

  @Test
  void alternatesEnginesAndComparesMediansWithTheLast() throws IOException {
    List<String> order = new ArrayList<>();
    List<Comparison.Row> rows =
        Comparison.run(
            List.of("a", "b"),
            3,
            (engine, round) -> {
              order.add(engine);
              return result(engine, engine.equals("a") ? 30 + 10 * round : 20 - round);
            });

    assertThat(order).containsExactly("a", "b", "b", "a", "a", "b");
    assertThat(rows.get(0).median()).isEqualTo(40);
    assertThat(rows.get(0).lowest()).isEqualTo(30);
    assertThat(rows.get(0).highest()).isEqualTo(50);
    assertThat(rows.get(1).median()).isEqualTo(19);
    assertThat(rows.get(0).ratio()).isEqualTo(40.0 / 19);
    assertThat(rows.get(1).ratio()).isEqualTo(1);
  }

  @Test
  void takesTheMiddleOfAnEvenNumber() {
    assertThat(Comparison.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
  }
}
