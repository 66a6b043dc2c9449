// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.paper.Claim.Bound;
import io.accordiondb.bench.report.BarChart;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.bench.report.Spread;
import java.util.ArrayList;
import java.util.List;

/** Figure 13: EAGER and BASIC with a small and a large active segment. */
final class EagerTuning implements Experiment {
  private static final double SMALL = 0.02;
  private static final double LARGE = 0.25;

  @Override
  public String name() {
    return "fig13";
  }

  @Override
  public String title() {
    return "Figure 13: EAGER and BASIC with a small and a large active segment";
  }

  private static Variant variant(Variant policy, double fraction) {
    return policy.named(policy.name() + " A=" + fraction).withActiveFraction(fraction);
  }

  static List<Variant> variants(PaperSetting setting) {
    Host host = setting.host();
    return List.of(
        variant(host.eager(), SMALL),
        variant(host.eager(), LARGE),
        variant(host.basic(), SMALL),
        variant(host.basic(), LARGE));
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
    ReportTable table =
        new ReportTable("zipfian", "rows a second", "NONE = 1", "MB written, without the log");
    List<String> names = new ArrayList<>();
    List<Double> medians = new ArrayList<>();
    List<Variant> all = new ArrayList<>(List.of(setting.host().none()));
    all.addAll(variants(setting));
    for (Variant variant : all) {
      PaperRun run = setting.write(variant);
      Spread rows = results.spread(run, RunFigures::rowsPerSecond);
      table.row(
          variant.name(),
          FigureFormat.whole(rows),
          FigureFormat.ratio(results.ratio(run, none, RunFigures::rowsPerSecond)),
          FigureFormat.megabytes(results.spread(run, RunFigures::bytesWritten)));
      names.add(variant.name());
      medians.add(rows.median());
    }
    BarChart chart =
        new BarChart(title(), "rows a second")
            .bars("zipfian", names, medians.stream().mapToDouble(Double::doubleValue).toArray());
    PaperRun large = setting.write(variant(setting.host().eager(), LARGE));
    PaperRun small = setting.write(variant(setting.host().eager(), SMALL));
    return new Section(
        table,
        chart,
        List.of(
            new Claim(
                "Throughput of EAGER with A=0.25 over NONE",
                PaperNumbers.EAGER_LARGE_ACTIVE,
                Bound.AT_LEAST,
                results.ratio(large, none, RunFigures::rowsPerSecond)),
            new Claim(
                "Throughput of EAGER with A=0.02 over NONE",
                PaperNumbers.EAGER_SMALL_ACTIVE,
                Bound.BESIDE,
                results.ratio(small, none, RunFigures::rowsPerSecond))),
        "");
  }
}
