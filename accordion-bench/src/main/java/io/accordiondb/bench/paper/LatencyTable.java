// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.paper.RunFigures.Latency;
import io.accordiondb.bench.report.LineChart;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.bench.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Percentiles of latency over a baseline's, as a table and a chart. Not thread-safe. */
final class LatencyTable {
  private final PaperResults results;
  private final ReportTable table;
  private final LineChart chart;

  LatencyTable(PaperResults results, String title) {
    this.results = results;
    List<String> header = new ArrayList<>(List.of("microseconds"));
    Latency.PERCENTILES.forEach(percentile -> header.add("p" + percentile));
    header.add("mean");
    this.table = new ReportTable(header);
    this.chart = new LineChart(title, "percentile", "latency, NONE = 1").fromZero();
  }

  /** Returns the text about a run's pace that follows its name. */
  static String pace(PaperRun run, String unit) {
    return FigureFormat.format(", %,d %s/s", run.pace(), unit);
  }

  /** Adds a row of latencies, and one of their ratios unless the run is the baseline. */
  void add(String name, PaperRun run, PaperRun baseline) {
    List<String> cells = new ArrayList<>(List.of(name));
    List<String> ratios = new ArrayList<>(List.of(name + ", NONE = 1"));
    double[] medians = new double[Latency.PERCENTILES.size()];
    for (int i = 0; i < medians.length; i++) {
      int percentile = Latency.PERCENTILES.get(i);
      Spread ratio = ratio(results, run, baseline, percentile);
      cells.add(FigureFormat.format("%,.1f", results.spread(run, f -> at(f, percentile)).median()));
      ratios.add(FigureFormat.ratio(ratio));
      medians[i] = ratio.median();
    }
    cells.add(FigureFormat.format("%,.1f", results.spread(run, f -> of(f).mean()).median()));
    ratios.add(FigureFormat.ratio(results.ratio(run, baseline, f -> of(f).mean())));
    table.row(cells);
    if (!run.equals(baseline)) {
      table.row(ratios);
      chart.line(
          name, Latency.PERCENTILES.stream().mapToDouble(Integer::doubleValue).toArray(), medians);
    }
  }

  static Spread ratio(PaperResults results, PaperRun run, PaperRun baseline, int percentile) {
    return results.ratio(run, baseline, figures -> at(figures, percentile));
  }

  private static double at(RunFigures figures, int percentile) {
    return of(figures).at(percentile);
  }

  private static Latency of(RunFigures figures) {
    return Objects.requireNonNull(figures.latency(), "the run has measured no latency");
  }

  Section section(List<Claim> claims, String remark) {
    return new Section(table, chart, claims, remark);
  }
}
