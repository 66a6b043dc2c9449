// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.paper.Claim.Bound;
import io.accordiondb.bench.report.LineChart;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.bench.report.Spread;
import java.util.ArrayList;
import java.util.List;

/** Figure 11: BASIC with S = 2 and smaller and smaller active segments. */
final class ActiveFractions implements Experiment {
  private static final List<Double> FRACTIONS = List.of(0.25, 0.1, 0.05, 0.02);
  private static final int SEGMENTS = 2;

  @Override
  public String name() {
    return "fig11";
  }

  @Override
  public String title() {
    return "Figure 11: throughput by the active segment's share A";
  }

  private static Variant basic(PaperSetting setting, double fraction) {
    Variant basic = setting.host().basic();
    return basic
        .named(basic.name() + " A=" + fraction + " S=" + SEGMENTS)
        .withActiveFraction(fraction)
        .withPipelineSegmentsMax(SEGMENTS);
  }

  static List<Variant> variants(PaperSetting setting) {
    return FRACTIONS.stream().map(fraction -> basic(setting, fraction)).toList();
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    List<PaperRun> runs = new ArrayList<>(List.of(setting.write(setting.host().none())));
    variants(setting).forEach(variant -> runs.add(setting.write(variant)));
    return runs;
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    PaperRun none = setting.write(setting.host().none());
    ReportTable table = new ReportTable("zipfian, S=2", "rows a second", "NONE = 1");
    table.row(
        setting.host().none().name() + " (A=1)",
        FigureFormat.whole(results.spread(none, RunFigures::rowsPerSecond)),
        "1");
    // The axis rises: from the smallest share to NONE, which is one segment for all.
    double[] fractions = new double[FRACTIONS.size() + 1];
    double[] medians = new double[fractions.length];
    fractions[FRACTIONS.size()] = 1;
    medians[FRACTIONS.size()] = results.spread(none, RunFigures::rowsPerSecond).median();
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < FRACTIONS.size(); i++) {
      PaperRun run = setting.write(basic(setting, FRACTIONS.get(i)));
      Spread rows = results.spread(run, RunFigures::rowsPerSecond);
      table.row(
          "A=" + FRACTIONS.get(i),
          FigureFormat.whole(rows),
          FigureFormat.ratio(results.ratio(run, none, RunFigures::rowsPerSecond)));
      fractions[FRACTIONS.size() - 1 - i] = FRACTIONS.get(i);
      medians[FRACTIONS.size() - 1 - i] = rows.median();
      PaperRun larger = i == 0 ? none : setting.write(basic(setting, FRACTIONS.get(i - 1)));
      claims.add(
          new Claim(
              "Throughput with A="
                  + FRACTIONS.get(i)
                  + " over "
                  + (i == 0 ? "NONE" : "A=" + FRACTIONS.get(i - 1)),
              PaperNumbers.SMALLER_ACTIVE,
              Bound.AT_LEAST,
              results.ratio(run, larger, RunFigures::rowsPerSecond)));
    }
    LineChart chart =
        new LineChart(title(), "A (NONE at 1)", "rows a second")
            .logarithmicX()
            .fromZero()
            .line(setting.host().basic().name() + " S=2", fractions, medians);
    return new Section(table, chart, claims, "");
  }
}
