// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.BenchResult;
import io.accordiondb.bench.BenchResult.HeldMemory;
import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.LatencyColumns;
import io.accordiondb.bench.OpenFigures;
import io.accordiondb.bench.report.ReportTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Results for people. */
final class ResultText {
  private static final double MIB = 1 << 20;

  private ResultText() {}

  static List<String> lines(BenchResult result) {
    List<String> lines = new ArrayList<>();
    lines.add(result.settings());
    lines.add(
        format(
            "%s: %,d operations after %,d to warm up, in %.2f s, %,.0f /s",
            result.workload().toLowerCase(Locale.ROOT),
            result.operations(),
            result.warmup(),
            result.seconds(),
            result.operationsPerSecond()));
    addLatency(lines, "latency", result.latencyMicros());
    addLatency(lines, "latency of writes beside them", result.writeLatencyMicros());
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
            "time in GC %d ms, written to the device %.0f MB, peak memory %.0f MB",
            result.gcMillis(), result.bytesStored() / MIB, result.peakMemoryBytes() / MIB));
    Double firstMillion = result.firstMillionSeconds();
    if (firstMillion != null) {
      lines.add(format("the first million rows were written %.2f s after the start", firstMillion));
    }
    HeldMemory held = result.held();
    if (held != null) {
      lines.add(
          format(
              "held for a row %.0f bytes of the heap, %.0f outside it",
              held.heapBytes(), held.directBytes()));
    }
    return lines;
  }

  private static void addLatency(List<String> lines, String name, @Nullable Latency micros) {
    if (micros != null) {
      lines.add(
          format(
              "%s in microseconds: p50 %.1f, p95 %.1f, p99 %.1f, p99.9 %.1f, p99.99 %.0f, max %.0f",
              name,
              micros.p50(),
              micros.p95(),
              micros.p99(),
              micros.p999(),
              micros.p9999(),
              micros.max()));
    }
  }

  static List<String> lines(OpenFigures figures) {
    ReportTable openings =
        new ReportTable(
            LatencyColumns.between(List.of("opening"), LatencyColumns.TITLES, List.of()));
    addOpenings(
        openings, format("closed store of %,d rows", figures.records()), figures.openMicros());
    addOpenings(openings, format("%,d regions", figures.regions()), figures.openRegionsMicros());
    addOpenings(
        openings, format("log of %.0f MB", figures.logBytes() / MIB), figures.replayMicros());
    List<String> lines = new ArrayList<>(openings.lines());
    lines.add(format("log replayed at %.0f MB/s", figures.replayBytesPerSecond() / MIB));
    return lines;
  }

  private static void addOpenings(ReportTable openings, String store, Latency micros) {
    openings.row(LatencyColumns.between(List.of(store), LatencyColumns.cells(micros), List.of()));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
