// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.paper.Claim.Bound;
import io.accordiondb.bench.report.LineChart;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.bench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Figure 7: time in garbage collection against throughput, with zipfian keys. */
final class GarbageCollection implements Experiment {
  @Override
  public String name() {
    return "fig7";
  }

  @Override
  public String title() {
    return "Figure 7: time in garbage collection against write throughput";
  }

  /** The policies, and those of the parameters that other experiments run anyway. */
  private static Map<String, PaperRun> points(PaperSetting setting) {
    Map<String, PaperRun> points = new LinkedHashMap<>();
    setting
        .host()
        .policies()
        .forEach(variant -> points.put(variant.name(), setting.write(variant)));
    Stream.of(ActiveFractions.variants(setting), EagerTuning.variants(setting))
        .flatMap(List::stream)
        .filter(variant -> !points.containsValue(setting.write(variant)))
        .forEach(variant -> points.put(variant.name(), setting.write(variant)));
    return points;
  }

  @Override
  public List<PaperRun> runs(PaperSetting setting) {
    return List.copyOf(points(setting).values());
  }

  private static double gcSeconds(RunFigures figures) {
    return figures.gcMillis() / 1e3;
  }

  private static double allocatedPerRow(RunFigures figures) {
    return (double) figures.allocatedBytes() / figures.rows();
  }

  @Override
  public Section section(PaperSetting setting, PaperResults results) {
    ReportTable table =
        new ReportTable("zipfian", "seconds in GC", "rows a second", "heap bytes allocated a row");
    LineChart chart = new LineChart(title(), "rows a second", "seconds in GC").fromZero();
    List<double[]> medians = new ArrayList<>();
    points(setting)
        .forEach(
            (name, run) -> {
              Spread gc = results.spread(run, GarbageCollection::gcSeconds);
              Spread rows = results.spread(run, RunFigures::rowsPerSecond);
              table.row(
                  name,
                  FigureFormat.ratio(gc),
                  FigureFormat.whole(rows),
                  FigureFormat.whole(results.spread(run, GarbageCollection::allocatedPerRow)));
              chart.points(name, new double[] {rows.median()}, new double[] {gc.median()});
              medians.add(new double[] {rows.median(), gc.median()});
            });
    double correlation = RankCorrelation.of(medians);
    Claim claim =
        new Claim(
            "Rank correlation of GC time and throughput",
            PaperNumbers.GC_CORRELATION,
            Bound.AT_MOST,
            Spread.of(correlation));
    return new Section(table, chart, List.of(claim), "");
  }
}
