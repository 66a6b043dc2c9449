// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.BenchResult;
import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.Comparison;
import io.accordiondb.bench.OpenFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Results for people. */
final class ResultText {
  private static final double MIB = 1 << 20;

  private ResultText() {}

  static List<String> lines(BenchResult result) {
    List<String> lines = new ArrayList<>();
    lines.add(result.settings());
    lines.add(
        format(
            "%s: %,d operations in %.2f s, %,.0f /s",
            result.workload().toLowerCase(Locale.ROOT),
            result.operations(),
            result.seconds(),
            result.operationsPerSecond()));
    Latency latency = result.latencyMicros();
    if (latency != null) {
      lines.add(
          format(
              "latency in microseconds: p50 %.1f, p95 %.1f, p99 %.1f, max %.0f",
              latency.p50(), latency.p95(), latency.p99(), latency.max()));
    }
    lines.add(
        format(
            "%d flushes of %.0f MB, %d compactions of %.0f MB, log %.0f MB,"
                + " write amplification %.2f",
            result.figures().flushes(),
            result.figures().bytesFlushed() / MIB,
            result.figures().compactions(),
            result.figures().bytesCompacted() / MIB,
            result.figures().bytesLogged() / MIB,
            result.writeAmplification()));
    lines.add(
        format(
            "time in GC %d ms, peak memory %.0f MB",
            result.gcMillis(), result.peakMemoryBytes() / MIB));
    return lines;
  }

  static List<String> lines(OpenFigures figures) {
    return List.of(
        format(
            "closed store of %,d rows: open in %.0f ms", figures.records(), figures.openMillis()),
        format("%,d regions: open in %.0f ms", figures.regions(), figures.openRegionsMillis()),
        format(
            "log of %.0f MB: replayed in %.0f ms, %.0f MB/s",
            figures.logBytes() / MIB,
            figures.replayMillis(),
            figures.replayBytesPerSecond() / MIB));
  }

  static List<String> lines(List<Comparison.Row> rows) {
    List<String> lines = new ArrayList<>();
    for (Comparison.Row row : rows) {
      lines.add(row.runs().get(0).settings());
    }
    lines.add(
        format(
            "%-12s %14s %14s %14s %8s %10s %10s %10s %10s",
            "engine",
            "median /s",
            "lowest",
            "highest",
            "ratio",
            "p50 us",
            "p99 us",
            "disk MB",
            "peak MB"));
    for (Comparison.Row row : rows) {
      lines.add(line(row));
    }
    return lines;
  }

  private static String line(Comparison.Row row) {
    BenchResult middle = row.runs().get(0);
    double distance = Double.MAX_VALUE;
    for (BenchResult run : row.runs()) {
      if (Math.abs(run.operationsPerSecond() - row.median()) < distance) {
        distance = Math.abs(run.operationsPerSecond() - row.median());
        middle = run;
      }
    }
    Latency latency = middle.latencyMicros();
    return format(
        "%-12s %,14.0f %,14.0f %,14.0f %8.2f %10s %10s %,10.0f %,10.0f",
        row.engine(),
        row.median(),
        row.lowest(),
        row.highest(),
        row.ratio(),
        latency == null ? "-" : format("%.1f", latency.p50()),
        latency == null ? "-" : format("%.1f", latency.p99()),
        (middle.figures().bytesFlushed() + middle.figures().bytesCompacted()) / MIB,
        middle.peakMemoryBytes() / MIB);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
