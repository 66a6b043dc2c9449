// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.BenchResult.LatencyPoint;
import io.accordiondb.bench.Latencies;
import io.accordiondb.bench.engine.EngineFigures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of one run, without the load before it.
 *
 * @param settings how the engine was set up
 * @param rows rows written or scanned from
 * @param seconds how long that took
 * @param engine what the engine has written, its background work included
 * @param cellsEliminated cells dropped in memory
 * @param gcMillis time in garbage collection
 * @param allocatedBytes bytes allocated on the heap
 * @param peakMemoryBytes highest resident memory of the process
 * @param latency of gets or scans; null in write-only runs, where batches hide it
 * @param latencyOverTime of gets or scans, or of batches in write-only runs, interval by interval;
 *     empty in results from before it was measured
 */
public record RunFigures(
    String settings,
    long rows,
    double seconds,
    EngineFigures engine,
    long cellsEliminated,
    long gcMillis,
    long allocatedBytes,
    long peakMemoryBytes,
    @Nullable Latency latency,
    List<LatencyPoint> latencyOverTime) {

  public RunFigures {
    // Results from before it was measured have none when they are read.
    latencyOverTime = latencyOverTime == null ? List.of() : List.copyOf(latencyOverTime);
  }

  /** Returns rows a second. */
  public double rowsPerSecond() {
    return rows / seconds;
  }

  /** Returns bytes written by flushes and compactions; the log is not among them. */
  public double bytesWritten() {
    return (double) engine.bytesFlushed() + engine.bytesCompacted();
  }

  /**
   * Latencies in microseconds.
   *
   * @param count how many were measured
   * @param mean their mean
   * @param percentiles at {@link #PERCENTILES}
   */
  public record Latency(long count, double mean, List<Double> percentiles) {
    /** Those that the paper gives (section 4.2.2). */
    public static final List<Integer> PERCENTILES = List.of(50, 75, 90, 95, 99);

    static Latency of(Latencies measured) {
      return new Latency(
          measured.count(),
          measured.meanMicros(),
          PERCENTILES.stream().map(measured::micros).toList());
    }

    /** Returns one of {@link #PERCENTILES}. */
    public double at(int percentile) {
      return percentiles.get(PERCENTILES.indexOf(percentile));
    }
  }
}
