// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegimeReportTest {
  @ParameterizedTest
  @CsvSource({
    "300, 10, 120, ''",
    "299, 10, 120, rate",
    "300, 11, 120, longest",
    "300, 10, 121, memory",
    "100, 11, 121, 'rate, longest, memory'"
  })
  void aRowNamesWhatIsWorseThanItsGoal(double rate, double longest, long megabytes, String missed) {
    Regime regime = Regime.ALL.get(0);
    assertThat(regime.goal()).isEqualTo(3);
    Comparison comparison =
        Comparison.run(
            regime.title(),
            List.of("own", "other"),
            1,
            (engine, round) ->
                engine.equals("own")
                    ? Results.of(engine, rate, longest, megabytes)
                    : Results.of(engine, 100, 10, 100));
    RegimeReport.Row row = new RegimeReport.Row(regime, comparison);
    assertThat(String.join(", ", row.missed())).isEqualTo(missed);
    RegimeReport report = new RegimeReport("own", "other", List.of(row));
    List<String> lines = report.table().lines();
    assertThat(Arrays.asList(lines.get(lines.size() - 1).strip().split(" {2,}")))
        .contains(missed.isEmpty() ? regime.title() : missed);
    assertThat(report.latencies().rows())
        .containsExactly(
            List.of(regime.title(), "own", "1.0", "3.0", "4", "5", String.valueOf((long) longest)),
            List.of(regime.title(), "other", "1.0", "3.0", "4", "5", "10"));
  }
}
