// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.BenchResult.LatencyPoint;
import io.accordiondb.bench.engine.EngineFigures;
import java.util.List;

/** Figures that were not measured. */
final class Figures {
  private Figures() {}

  /**
   * Returns figures of a run that writes a given number of rows a second, the rest in proportion.
   */
  static RunFigures of(double rowsPerSecond) {
    return of(
        rowsPerSecond,
        List.of(
            new LatencyPoint(0.125, rowsPerSecond, 1, 2, 3),
            new LatencyPoint(0.375, rowsPerSecond, 1, 4, 5)));
  }

  /** Returns figures of a run from before latency was measured over time. */
  static RunFigures withoutSeries(double rowsPerSecond) {
    return of(rowsPerSecond, List.of());
  }

  private static RunFigures of(double rowsPerSecond, List<LatencyPoint> latencyOverTime) {
    long number = Math.round(rowsPerSecond);
    return new RunFigures(
        "",
        number,
        number / rowsPerSecond,
        new EngineFigures(number, number, number, number, number),
        number,
        number,
        number,
        number,
        new RunFigures.Latency(
            number,
            rowsPerSecond,
            List.of(
                rowsPerSecond,
                2 * rowsPerSecond,
                3 * rowsPerSecond,
                4 * rowsPerSecond,
                5 * rowsPerSecond)),
        latencyOverTime);
  }
}
