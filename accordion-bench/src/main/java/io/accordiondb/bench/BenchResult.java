// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.engine.EngineFigures;
import io.accordiondb.bench.engine.ServerFigures;
import io.accordiondb.bench.report.Spread;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a benchmark. They cover the measured part, without the load and the warm-up before
 * it, except for the peak of memory.
 *
 * @param engine name of the engine
 * @param workload what was done
 * @param settings how the engine was set up
 * @param operations operations measured
 * @param warmup operations done before those
 * @param seconds how long they took
 * @param operationsPerSecond their rate
 * @param latencyMicros percentiles of the latency of a read or a scan, or of a batch where nothing
 *     is read; where a rate is held, from the moment when the operation was due; null for HOLD
 * @param writeLatencyMicros the same of batches that are written beside reads or scans; null where
 *     there are none
 * @param figures what the engine has written
 * @param writeAmplification bytes written by the log, flushes and compactions, as far as the engine
 *     reports them, for each byte of keys and values that was written; 0 if nothing was
 * @param gcMillis time in garbage collection, of the servers if there are some
 * @param bytesStored bytes that the process has caused to be written to the device, log and all, as
 *     the system counts them; 0 where it does not
 * @param held what the rows take in memory; null for other workloads than HOLD
 * @param peakMemoryBytes highest resident memory of the process, or of the servers together; 0
 *     where unknown
 * @param firstMillionSeconds how long after its start the process had written its first million
 *     rows, warm-up and load among them; null if it wrote fewer
 * @param servers what the processes have used in which the store lives; null if it lives in the one
 *     that measures
 * @param latencyOverTime what {@code latencyMicros} is made of, interval by interval; empty for
 *     HOLD
 */
public record BenchResult(
    String engine,
    String workload,
    String settings,
    long operations,
    long warmup,
    double seconds,
    double operationsPerSecond,
    @Nullable Latency latencyMicros,
    @Nullable Latency writeLatencyMicros,
    EngineFigures figures,
    double writeAmplification,
    long gcMillis,
    long bytesStored,
    @Nullable HeldMemory held,
    long peakMemoryBytes,
    @Nullable Double firstMillionSeconds,
    @Nullable ServerFigures servers,
    List<LatencyPoint> latencyOverTime) {

  public BenchResult {
    latencyOverTime = List.copyOf(latencyOverTime);
  }

  /**
   * The latency of the operations of one interval.
   *
   * @param seconds middle of the interval, in seconds since the first operation began
   * @param perSecond how many of them ended in a second
   * @param p50 median in microseconds
   * @param p99 99th percentile in microseconds
   * @param max the longest in microseconds
   */
  public record LatencyPoint(
      double seconds, double perSecond, double p50, double p99, double max) {}

  /** Percentiles in microseconds. */
  public record Latency(double p50, double p95, double p99, double p999, double p9999, double max) {
    /** Returns the median of each percentile over several runs, at least one. */
    public static Latency medians(List<Latency> runs) {
      return new Latency(
          median(runs, Latency::p50),
          median(runs, Latency::p95),
          median(runs, Latency::p99),
          median(runs, Latency::p999),
          median(runs, Latency::p9999),
          median(runs, Latency::max));
    }

    private static double median(List<Latency> runs, ToDoubleFunction<Latency> percentile) {
      return Spread.of(runs.stream().mapToDouble(percentile).toArray()).median();
    }
  }

  /**
   * Memory for each row written.
   *
   * @param heapBytes bytes of the Java heap that are in use after a collection
   * @param directBytes bytes of direct buffers, outside the heap
   */
  public record HeldMemory(double heapBytes, double directBytes) {
    /** Returns both together. */
    public double bytes() {
      return heapBytes + directBytes;
    }
  }
}
