// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.report.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The results of all runs, round by round. Not thread-safe. */
public final class PaperResults {
  private final Map<PaperRun, List<RunFigures>> rounds = new LinkedHashMap<>();

  /** Adds a round of a run. */
  public void add(PaperRun run, RunFigures figures) {
    rounds.computeIfAbsent(run, key -> new ArrayList<>()).add(figures);
  }

  /** Returns the rounds of a run, in order; none if it was not made. */
  public List<RunFigures> rounds(PaperRun run) {
    return List.copyOf(rounds.getOrDefault(run, List.of()));
  }

  /**
   * Returns a figure's median and spread over the rounds.
   *
   * @throws IllegalStateException if the run was not made
   */
  Spread spread(PaperRun run, ToDoubleFunction<RunFigures> figure) {
    return Spread.of(made(run).stream().mapToDouble(figure).toArray());
  }

  /**
   * Returns the round whose rate is closest to the median.
   *
   * @throws IllegalStateException if the run was not made
   */
  RunFigures middle(PaperRun run) {
    double median = spread(run, RunFigures::rowsPerSecond).median();
    return Collections.min(
        made(run),
        Comparator.comparingDouble(figures -> Math.abs(figures.rowsPerSecond() - median)));
  }

  /** Returns the median and the spread of the rounds' ratios: runs of one round share its mood. */
  Spread ratio(PaperRun run, PaperRun baseline, ToDoubleFunction<RunFigures> figure) {
    List<RunFigures> own = made(run);
    List<RunFigures> other = made(baseline);
    double[] ratios = new double[Math.min(own.size(), other.size())];
    for (int round = 0; round < ratios.length; round++) {
      ratios[round] = figure.applyAsDouble(own.get(round)) / figure.applyAsDouble(other.get(round));
    }
    return Spread.of(ratios);
  }

  private List<RunFigures> made(PaperRun run) {
    List<RunFigures> figures = rounds(run);
    if (figures.isEmpty()) {
      throw new IllegalStateException("there is no result of " + run);
    }
    return figures;
  }
}
