// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.BenchResult.LatencyPoint;
import io.accordiondb.bench.engine.EngineFigures;
import java.util.List;

/** Results of runs that did not take place. */
final class Results {
  private Results() {}

  /**
   * Returns the result of reading 1,000 fields.
   *
   * @param longest microseconds of the longest read
   */
  static BenchResult of(String engine, double rate, double longest, long peakMegabytes) {
    return new BenchResult(
        engine,
        "READ",
        engine + " as it is",
        1000,
        500,
        1,
        rate,
        new Latency(1, 2, 3, 4, 5, longest),
        null,
        EngineFigures.UNKNOWN,
        0,
        0,
        5 << 20,
        null,
        peakMegabytes << 20,
        100 / rate,
        null,
        List.of(new LatencyPoint(0.125, rate, 1, 3, longest)));
  }
}
