// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaperRoundsTest {
  private static final PaperSetting SETTING =
      new PaperSetting(Host.EMBEDDED, WorkSize.ofWrites(100_000, 64 << 20, 2), List.of(Disk.NONE));
  private static final PaperRun NONE = SETTING.write(Host.EMBEDDED.none());
  private static final PaperRun BASIC = SETTING.write(Host.EMBEDDED.basic());

  private final PaperResults results = new PaperResults();
  private final List<PaperRun> made = new ArrayList<>();

  private void run(List<PaperRun> runs, int rounds) throws IOException {
    new PaperRounds(runs, rounds, results)
        .run(
            (run, progress) -> {
              made.add(run);
              return Figures.of(made.size());
            },
            new PrintStream(OutputStream.nullOutputStream()));
  }

  @Test
  void equalRunsAreMadeOnceARoundInChangingOrder() throws IOException {
    run(List.of(NONE, BASIC, NONE), 3);
    assertThat(made).containsExactly(NONE, BASIC, BASIC, NONE, NONE, BASIC);
    assertThat(results.rounds(NONE)).hasSize(3);
    assertThat(results.ratio(BASIC, NONE, RunFigures::rowsPerSecond).median())
        .as("rounds 2/1, 3/4 and 6/5")
        .isEqualTo(1.2);
  }

  @Test
  void whatIsThereIsNotMadeAgain() throws IOException {
    results.add(NONE, Figures.of(1));
    results.add(NONE, Figures.of(2));
    results.add(BASIC, Figures.of(3));
    run(List.of(NONE, BASIC), 2);
    assertThat(made).containsExactly(BASIC);
  }

  @Test
  void theBaselineHasNoParameters() {
    assertThat(SETTING.write(Host.EMBEDDED.none().withActiveFraction(0.5))).isEqualTo(NONE);
    assertThat(SETTING.write(Host.EMBEDDED.basic().withActiveFraction(0.5))).isNotEqualTo(BASIC);
  }

  @Test
  void experimentsShareRuns() {
    List<PaperRun> all =
        Experiments.ALL.stream().flatMap(experiment -> experiment.runs(SETTING).stream()).toList();
    assertThat(all.stream().distinct()).hasSizeLessThan(all.size() * 2 / 3);
    for (String name : List.of("table1", "table2", "fig6")) {
      assertThat(Experiments.of("fig5").runs(SETTING))
          .containsAll(Experiments.of(name).runs(SETTING));
    }
    assertThat(Experiments.of("fig12").runs(SETTING)).contains(BASIC);
  }
}
