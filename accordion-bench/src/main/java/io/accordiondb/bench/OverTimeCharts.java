// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.LatencyPoint;
import io.accordiondb.bench.report.HtmlReport;
import io.accordiondb.bench.report.LineChart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Latency and rate over time as charts: a line for each of what is compared. Not thread-safe. */
public final class OverTimeCharts {
  /** The lowest latency that a logarithmic axis shows. */
  private static final double MICROS_MIN = 0.01;

  private final LineChart latency;
  private final LineChart rate;
  private boolean empty = true;

  /**
   * Begins charts without lines.
   *
   * @param work what was done, for the titles
   */
  public OverTimeCharts(String work) {
    latency = new LineChart("99th percentile over time, " + work, "seconds", "µs").logarithmicY();
    rate = new LineChart("Rate over time, " + work, "seconds", "timed operations/s").fromZero();
  }

  /** Returns the charts of a comparison: the middle run of each engine. */
  static OverTimeCharts of(String work, Comparison comparison) {
    OverTimeCharts charts = new OverTimeCharts(work);
    comparison.rows().forEach(row -> charts.add(row.engine(), row.middle().latencyOverTime()));
    return charts;
  }

  /**
   * Adds a line to each chart, unless there are no points.
   *
   * @param name what the legend says; another for each line
   */
  public void add(String name, List<LatencyPoint> points) {
    if (points.isEmpty()) {
      return;
    }
    empty = false;
    double[] seconds = points.stream().mapToDouble(LatencyPoint::seconds).toArray();
    latency.line(
        name,
        seconds,
        points.stream().mapToDouble(point -> Math.max(MICROS_MIN, point.p99())).toArray());
    rate.line(name, seconds, points.stream().mapToDouble(LatencyPoint::perSecond).toArray());
  }

  /** Returns whether there are no lines, and so nothing to show. */
  public boolean isEmpty() {
    return empty;
  }

  /** Adds both charts to a page. */
  public void show(HtmlReport page) {
    page.chart(latency).chart(rate);
  }

  /**
   * Writes {@code latency-over-time-NAME} and {@code rate-over-time-NAME}, each as SVG and as PNG,
   * into a folder.
   *
   * @throws IOException if they cannot be written
   */
  public void write(Path folder, String name) throws IOException {
    latency.write(folder, latencyFile(name));
    rate.write(folder, "rate-over-time-" + name);
  }

  /** Returns the name of the file that has the latencies, without its suffix. */
  public static String latencyFile(String name) {
    return "latency-over-time-" + name;
  }
}
