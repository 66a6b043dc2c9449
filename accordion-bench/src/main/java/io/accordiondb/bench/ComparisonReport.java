// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.HeldMemory;
import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.engine.ServerFigures;
import io.accordiondb.bench.report.BarChart;
import io.accordiondb.bench.report.HtmlReport;
import io.accordiondb.bench.report.Machine;
import io.accordiondb.bench.report.Medians;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.bench.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Comparisons for people: tables for a terminal, a page with charts.
 *
 * @param comparisons one for each workload, not empty
 */
public record ComparisonReport(List<Comparison> comparisons) {
  private static final double MIB = 1 << 20;
  private static final String UNKNOWN = "-";

  /** Returns lines for a terminal: the figures of one workload. */
  public static List<String> lines(Comparison comparison) {
    List<String> lines = new ArrayList<>();
    lines.add(title(comparison));
    lines.addAll(table(comparison).lines());
    comparison.rows().stream().map(ComparisonReport::firstMillion).forEach(lines::addAll);
    comparison.rows().stream().map(ComparisonReport::held).forEach(lines::addAll);
    comparison.rows().stream().map(ComparisonReport::servers).forEach(lines::addAll);
    return lines;
  }

  /** Returns lines for a terminal: how the engines were set up, and all ratios. */
  public List<String> summary() {
    List<String> lines = new ArrayList<>(notes());
    if (comparisons.size() > 1) {
      lines.add("");
      lines.add("Medians over those of the last engine named:");
      lines.addAll(ratios().table("engine", "%.2f").lines());
    }
    return lines;
  }

  /**
   * Returns a page with all figures and charts.
   *
   * @param command the command that has measured them
   */
  public HtmlReport html(String command) {
    HtmlReport page = new HtmlReport("Engines compared");
    page.paragraph(
        "Engines took turns, each run in a process of its own, in changing order. Start-up and"
            + " compilation are part of writes; reads and scans begin once all records are written"
            + " and the process is idle, after the operations to warm up that each title names. All"
            + " got the same keys, values and batches, the"
            + " same memory, and the same durability as far as they have it. Medians are shown.");
    page.lines(List.of(command));
    page.lines(Machine.lines());
    page.heading("Settings").lines(notes());
    page.heading("Rates");
    page.chart(ratioChart());
    page.table(rates().table("engine, operations/s", "%,.0f"));
    for (Comparison comparison : comparisons) {
      page.subheading(title(comparison)).table(table(comparison));
    }
    Medians latencies = latencies();
    if (!latencies.cases().isEmpty()) {
      page.heading("Latencies");
      page.chart(latencyChart());
      page.table(latencies.table("engine, p99 in µs", "%,.1f"));
      for (Comparison comparison : timed()) {
        page.subheading("Over time: " + comparison.workload());
        overTime(comparison).show(page);
      }
    }
    page.heading("Memory");
    page.paragraph("Highest resident memory of each process, Java heap and mapped files included.");
    page.chart(memoryChart());
    page.table(memory().table("engine, MB", "%,.0f"));
    return page;
  }

  /**
   * Writes the page's charts as {@code ratios}, {@code latencies}, {@code memory} and, for each
   * workload, {@code latency-over-time-WORKLOAD} and {@code rate-over-time-WORKLOAD}, each as SVG
   * and as PNG, into a folder.
   *
   * @throws IOException if they cannot be written
   */
  public void writeCharts(Path folder) throws IOException {
    ratioChart().write(folder, "ratios");
    memoryChart().write(folder, "memory");
    if (!latencies().cases().isEmpty()) {
      latencyChart().write(folder, "latencies");
    }
    for (Comparison comparison : timed()) {
      overTime(comparison).write(folder, comparison.workload());
    }
  }

  private BarChart ratioChart() {
    return ratios().bars("Rate over that of the last engine named", "ratio");
  }

  private BarChart latencyChart() {
    return latencies().bars("99th percentile of the latency of gets, scans and batches", "µs");
  }

  /** Returns the comparisons that have latencies over time. */
  private List<Comparison> timed() {
    return comparisons.stream().filter(comparison -> !overTime(comparison).isEmpty()).toList();
  }

  private static OverTimeCharts overTime(Comparison comparison) {
    return OverTimeCharts.of(comparison.workload(), comparison);
  }

  private BarChart memoryChart() {
    return memory().bars("Peak resident memory", "MB");
  }

  private static String title(Comparison comparison) {
    long operations =
        comparison.rows().isEmpty() ? 0 : comparison.rows().get(0).middle().operations();
    long warmup = comparison.rows().isEmpty() ? 0 : comparison.rows().get(0).middle().warmup();
    String title =
        String.format(Locale.ROOT, "%s: %,d operations", comparison.workload(), operations);
    return warmup == 0 ? title : title + String.format(Locale.ROOT, " after %,d", warmup);
  }

  private List<String> notes() {
    Map<String, String> notes = new LinkedHashMap<>();
    for (Comparison comparison : comparisons) {
      comparison.rows().forEach(row -> notes.put(row.engine(), row.middle().settings()));
      comparison.skipped().forEach((engine, why) -> notes.put(engine, "skipped: " + why));
      comparison.failed().forEach((engine, why) -> notes.put(engine, "failed: " + why));
    }
    return notes.entrySet().stream().map(note -> note.getKey() + ": " + note.getValue()).toList();
  }

  private static ReportTable table(Comparison comparison) {
    ReportTable table =
        new ReportTable(
            LatencyColumns.between(
                List.of("engine", "median /s", "lowest", "highest", "ratio"),
                LatencyColumns.TITLES,
                List.of("tables MB", "written MB", "GC ms", "peak MB")));
    for (Comparison.Row row : comparison.rows()) {
      BenchResult middle = row.middle();
      table.row(
          LatencyColumns.between(
              List.of(
                  row.engine(),
                  format("%,.0f", row.rate().median()),
                  format("%,.0f", row.rate().lowest()),
                  format("%,.0f", row.rate().highest()),
                  format("%.2f", row.ratio())),
              LatencyColumns.cells(middle.latencyMicros()),
              List.of(
                  megabytes(middle.figures().bytesFlushed() + middle.figures().bytesCompacted()),
                  megabytes(middle.bytesStored()),
                  format("%,.0f", middle.gcMillis()),
                  megabytes(row.peakMemoryBytes()))));
    }
    comparison.skipped().keySet().forEach(engine -> withoutFigures(table, engine, "skipped"));
    comparison.failed().keySet().forEach(engine -> withoutFigures(table, engine, "failed"));
    return table;
  }

  private static void withoutFigures(ReportTable table, String engine, String word) {
    List<String> row = new ArrayList<>(List.of(engine, word));
    row.addAll(Collections.nCopies(table.header().size() - row.size(), UNKNOWN));
    table.row(row);
  }

  /** Returns a line of what the processes of the store have used, if it has processes. */
  private static List<String> servers(Comparison.Row row) {
    ServerFigures servers = row.middle().servers();
    return servers == null
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "%s: %d server processes, %,d collections that took %,d ms; GC and peak are theirs",
                row.engine(),
                servers.processes(),
                servers.collections(),
                servers.collectionMillis()));
  }

  /** Returns a line of when the first million rows were written, if that many were. */
  private static List<String> firstMillion(Comparison.Row row) {
    Spread seconds = row.firstMillionSeconds();
    return seconds == null
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "%s: the first million rows were written %.2f s after the start, %.2f to %.2f",
                row.engine(),
                seconds.median(),
                seconds.lowest(),
                seconds.highest()));
  }

  /** Returns a line of what a row takes in memory, if that was measured. */
  private static List<String> held(Comparison.Row row) {
    HeldMemory held = row.middle().held();
    return held == null
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "%s holds a row in %.0f bytes: %.0f of the heap, %.0f outside it",
                row.engine(),
                held.bytes(),
                held.heapBytes(),
                held.directBytes()));
  }

  private static String megabytes(long bytes) {
    return bytes == 0 ? UNKNOWN : format("%,.0f", bytes / MIB);
  }

  private Medians rates() {
    Medians rates = new Medians();
    for (Comparison comparison : comparisons) {
      for (Comparison.Row row : comparison.rows()) {
        row.runs()
            .forEach(
                run -> rates.add(row.engine(), comparison.workload(), run.operationsPerSecond()));
      }
    }
    return rates;
  }

  private Medians ratios() {
    Medians ratios = new Medians();
    for (Comparison comparison : comparisons) {
      comparison
          .rows()
          .forEach(row -> ratios.add(row.engine(), comparison.workload(), row.ratio()));
    }
    return ratios;
  }

  private Medians latencies() {
    Medians latencies = new Medians();
    for (Comparison comparison : comparisons) {
      for (Comparison.Row row : comparison.rows()) {
        for (BenchResult run : row.runs()) {
          Latency latency = run.latencyMicros();
          if (latency != null) {
            latencies.add(row.engine(), comparison.workload(), latency.p99());
          }
        }
      }
    }
    return latencies;
  }

  private Medians memory() {
    Medians memory = new Medians();
    for (Comparison comparison : comparisons) {
      comparison
          .rows()
          .forEach(
              row -> memory.add(row.engine(), comparison.workload(), row.peakMemoryBytes() / MIB));
    }
    return memory;
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
