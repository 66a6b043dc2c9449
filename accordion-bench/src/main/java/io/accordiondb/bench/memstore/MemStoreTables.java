// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.memstore;

import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.LatencyColumns;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.bench.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The medians of memory stores, as tables.
 *
 * @param runs at least one run of each variant, by its name; the first is the baseline of ratios
 */
public record MemStoreTables(Map<String, List<MemStoreFigures>> runs) {
  private static final List<Column> RATES =
      List.of(
          new Column("puts/s", "%,.0f", MemStoreFigures::putsPerSecond),
          new Column("hits/s", "%,.0f", MemStoreFigures::hitsPerSecond),
          new Column("misses/s", "%,.0f", MemStoreFigures::missesPerSecond),
          new Column("scans/s", "%,.0f", MemStoreFigures::scansPerSecond));

  private static final List<Column> MEMORY =
      List.of(
          new Column("absorbed", "%,.0f", MemStoreFigures::absorbed),
          new Column("B over", "%.1f", MemStoreFigures::overheadBytes),
          new Column("B heap", "%.1f", MemStoreFigures::heapBytesPerPut),
          new Column("GC %", "%.1f", figures -> 100 * figures.gcShare()),
          new Column("dropped %", "%.1f", figures -> 100 * figures.eliminatedShare()),
          new Column("peak MB", "%.0f", figures -> figures.peakMemoryBytes() / 1e6));

  /** A figure with its place in a table. */
  private record Column(String title, String format, ToDoubleFunction<MemStoreFigures> figure) {
    String cell(List<MemStoreFigures> figures) {
      return text(format, median(figures));
    }

    double median(List<MemStoreFigures> figures) {
      return Spread.of(figures.stream().mapToDouble(figure).toArray()).median();
    }
  }

  /** Returns the rates, each with its ratio to the baseline's. */
  public ReportTable rates() {
    List<String> header = new ArrayList<>(List.of("variant"));
    RATES.forEach(rate -> header.addAll(List.of(rate.title(), "ratio")));
    header.add("segments");
    ReportTable table = new ReportTable(header);
    Column segments = new Column("segments", "%.0f", MemStoreFigures::segments);
    List<MemStoreFigures> baseline = runs.values().iterator().next();
    runs.forEach(
        (variant, figures) -> {
          List<String> row = new ArrayList<>(List.of(variant));
          for (Column rate : RATES) {
            row.add(rate.cell(figures));
            row.add(text("%.2f", rate.median(figures) / rate.median(baseline)));
          }
          row.add(segments.cell(figures));
          table.row(row);
        });
    return table;
  }

  /** Returns how long a batch took that was added, and what memory the additions took. */
  public ReportTable batches() {
    ReportTable table =
        new ReportTable(
            LatencyColumns.between(
                List.of("batches of"),
                LatencyColumns.TITLES,
                MEMORY.stream().map(Column::title).toList()));
    runs.forEach(
        (variant, figures) -> {
          List<Latency> latencies = figures.stream().map(MemStoreFigures::batchMicros).toList();
          table.row(
              LatencyColumns.between(
                  List.of(variant),
                  LatencyColumns.cells(Latency.medians(latencies)),
                  MEMORY.stream().map(column -> column.cell(figures)).toList()));
        });
    return table;
  }

  private static String text(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
