// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.report.BarChart;
import io.accordiondb.bench.report.HtmlReport;
import io.accordiondb.bench.report.Machine;
import io.accordiondb.bench.report.ReportTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Two engines in all regimes, as one matrix.
 *
 * @param engine the engine that is judged
 * @param baseline the engine that it is compared with
 * @param rows one for each regime that was run
 */
public record RegimeReport(String engine, String baseline, List<Row> rows) {
  private static final double MIB = 1 << 20;
  private static final String UNKNOWN = "-";

  /** The memory of the engine over that of the baseline, at most. */
  private static final double MEMORY_RATIO_MAX = 1.2;

  /**
   * What was measured in one regime.
   *
   * @param regime the regime
   * @param comparison both engines; fewer if one was skipped or has failed
   */
  public record Row(Regime regime, Comparison comparison) {
    /** Returns whether both engines have figures. */
    public boolean isComplete() {
      return comparison.rows().size() == 2;
    }

    /** Returns the engine's rate over the baseline's, 0 if either is missing. */
    public double ratio() {
      return isComplete() ? comparison.rows().get(0).ratio() : 0;
    }

    /** Returns whether the ratio reaches its goal. */
    public boolean isReached() {
      return ratio() >= regime.goal();
    }

    /**
     * Returns what is worse than its goal: the rate, the longest operation, which should take no
     * longer than the baseline's, or the peak of memory, which should be a fifth higher at most.
     */
    List<String> missed() {
      List<String> missed = new ArrayList<>();
      if (!isReached()) {
        missed.add("rate");
      }
      if (isComplete()) {
        BenchResult own = comparison.rows().get(0).middle();
        BenchResult other = comparison.rows().get(1).middle();
        if (longest(other) > 0 && longest(own) > longest(other)) {
          missed.add("longest");
        }
        if (other.peakMemoryBytes() > 0
            && own.peakMemoryBytes() > other.peakMemoryBytes() * MEMORY_RATIO_MAX) {
          missed.add("memory");
        }
      }
      return missed;
    }

    private static double longest(BenchResult run) {
      Latency latency = run.latencyMicros();
      return latency == null ? 0 : latency.max();
    }
  }

  /** Returns the matrix. */
  public ReportTable table() {
    ReportTable table =
        new ReportTable(
            "regime",
            engine + " /s",
            baseline + " /s",
            "ratio",
            "goal",
            "p99.9 µs",
            "longest ms",
            "peak MB",
            "written MB",
            "missed");
    for (Row row : rows) {
      table.row(
          row.regime().title(),
          rate(row, engine),
          rate(row, baseline),
          row.isComplete() ? format("%.2f", row.ratio()) : UNKNOWN,
          format("%.1f", row.regime().goal()),
          both(row, run -> latency(run, Latency::p999)),
          both(row, run -> latency(run, latency -> latency.max() / 1e3)),
          both(row, run -> format("%,.0f", run.peakMemoryBytes() / MIB)),
          both(row, run -> format("%,.0f", run.bytesStored() / MIB)),
          String.join(", ", row.missed()));
    }
    return table;
  }

  /** Returns the latencies of both engines, which have a row each. */
  public ReportTable latencies() {
    ReportTable table =
        new ReportTable(
            LatencyColumns.between(List.of("regime", "engine"), LatencyColumns.TITLES, List.of()));
    for (Row row : rows) {
      for (Comparison.Row each : row.comparison().rows()) {
        table.row(
            LatencyColumns.between(
                List.of(row.regime().title(), each.engine()),
                LatencyColumns.cells(each.middle().latencyMicros()),
                List.of()));
      }
    }
    return table;
  }

  /** Returns in a line how many goals are reached. */
  public String summary() {
    long reached = rows.stream().filter(Row::isReached).count();
    return String.format(
        Locale.ROOT,
        "%d of %d goals of the ratio reached; two figures are %s's and %s's, of each one's median run",
        reached,
        rows.size(),
        engine,
        baseline);
  }

  /** Returns a chart of the ratios beside the goals. */
  public BarChart chart() {
    List<String> titles = rows.stream().map(row -> row.regime().title()).toList();
    return new BarChart("Rate of " + engine + " over that of " + baseline, "ratio")
        .bars("measured", titles, rows.stream().mapToDouble(Row::ratio).toArray())
        .bars("goal", titles, rows.stream().mapToDouble(row -> row.regime().goal()).toArray());
  }

  /**
   * Returns a page with matrix and charts.
   *
   * @param command the command that has measured them
   */
  public HtmlReport html(String command) {
    HtmlReport page = new HtmlReport(engine + " and " + baseline + " in all regimes");
    page.lines(List.of(command));
    page.lines(Machine.lines());
    page.chart(chart());
    page.lines(List.of(summary()));
    page.table(table());
    page.heading("Latencies").table(latencies());
    for (Row row : rows) {
      OverTimeCharts overTime = overTime(row);
      if (!overTime.isEmpty()) {
        page.subheading("Over time: " + row.regime().title());
        overTime.show(page);
      }
    }
    return page;
  }

  /**
   * Writes the chart as {@code regimes} and, for each regime, {@code latency-over-time-REGIME} and
   * {@code rate-over-time-REGIME}, each as SVG and as PNG, into a folder.
   */
  public void writeCharts(Path folder) throws IOException {
    chart().write(folder, "regimes");
    for (Row row : rows) {
      OverTimeCharts overTime = overTime(row);
      if (!overTime.isEmpty()) {
        overTime.write(folder, fileName(row.regime()));
      }
    }
  }

  private static OverTimeCharts overTime(Row row) {
    return OverTimeCharts.of(row.regime().title(), row.comparison());
  }

  /** Returns a regime's title in small letters and digits, with hyphens for all else. */
  private static String fileName(Regime regime) {
    return regime.title().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  private static String rate(Row row, String engine) {
    return row.comparison().rows().stream()
        .filter(each -> each.engine().equals(engine))
        .map(each -> format("%,.0f", each.rate().median()))
        .findFirst()
        .orElse(row.comparison().failed().containsKey(engine) ? "failed" : "skipped");
  }

  private static String both(Row row, Function<BenchResult, String> figure) {
    return String.join(
        " · ", row.comparison().rows().stream().map(each -> figure.apply(each.middle())).toList());
  }

  private static String latency(BenchResult run, ToDoubleFunction<Latency> figure) {
    Latency latency = run.latencyMicros();
    return latency == null ? UNKNOWN : format("%,.1f", figure.applyAsDouble(latency));
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
