// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;

/** Lines through points, a colour for each series. Not thread-safe. */
public final class LineChart implements Chart {
  private final XYChart chart;

  /** Begins a chart; a title that is empty takes no room. */
  public LineChart(String title, String xTitle, String yTitle) {
    chart =
        new XYChartBuilder()
            .width(Drawing.WIDTH)
            .height(Drawing.HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    Drawing.style(chart.getStyler());
  }

  /** Makes the axis of x logarithmic; all x must be above 0. */
  public LineChart logarithmicX() {
    chart.getStyler().setXAxisLogarithmic(true);
    return this;
  }

  /** Makes the axis of y logarithmic; all y must be above 0. */
  public LineChart logarithmicY() {
    chart.getStyler().setYAxisLogarithmic(true);
    return this;
  }

  /**
   * Adds points that no line joins.
   *
   * @param name what the legend says
   * @param x in any order
   * @param y as many as there are x
   * @return this chart
   */
  public LineChart points(String name, double[] x, double[] y) {
    chart.addSeries(name, x, y).setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    return this;
  }

  /** Lets the axis of y begin at 0. */
  public LineChart fromZero() {
    chart.getStyler().setYAxisMin(0.0);
    return this;
  }

  /**
   * Adds a line.
   *
   * @param name what the legend says
   * @param x in rising order
   * @param y as many as there are x
   * @return this chart
   */
  public LineChart line(String name, double[] x, double[] y) {
    chart.addSeries(name, x, y);
    return this;
  }

  @Override
  public String svg() {
    return Drawing.svg(chart);
  }

  @Override
  public void write(Path folder, String name) throws IOException {
    Drawing.write(chart, folder, name);
  }
}
