// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Groups of bars: a group for each category, a colour for each series. Not thread-safe. */
public final class BarChart implements Chart {
  private final CategoryChart chart;

  /** Begins a chart; a title that is empty takes no room. */
  public BarChart(String title, String valueTitle) {
    chart =
        new CategoryChartBuilder()
            .width(Drawing.WIDTH)
            .height(Drawing.HEIGHT)
            .title(title)
            .yAxisTitle(valueTitle)
            .build();
    Drawing.style(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(0.8).setYAxisMin(0.0);
  }

  /**
   * Adds the bars of a series.
   *
   * @param name what the legend says
   * @param categories their names, the same for all series
   * @param values the bars' heights, as many as there are categories
   * @return this chart
   */
  public BarChart bars(String name, List<String> categories, double... values) {
    chart.addSeries(name, categories, Arrays.stream(values).boxed().toList());
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
