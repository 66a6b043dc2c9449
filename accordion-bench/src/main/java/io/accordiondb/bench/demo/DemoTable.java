// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.demo;

import io.accordiondb.statistics.MemoryStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The demonstration's figures as a table, a column for each policy. */
public final class DemoTable {
  private static final double MIB = 1 << 20;

  private DemoTable() {}

  /** Returns the lines of the table. */
  public static List<String> lines(List<PolicyFigures> figures) {
    List<String> lines = new ArrayList<>();
    lines.add(line("", figures, PolicyFigures::policy));
    lines.add(line("rows written", figures, f -> whole(f.operations())));
    lines.add(line("throughput, rows/s", figures, f -> whole((long) f.rowsPerSecond())));
    lines.add(line("flushes", figures, f -> whole(f.statistics().flushes().count())));
    lines.add(line("compactions", figures, f -> whole(f.statistics().compactions().count())));
    lines.add(
        line("written by flushes, MB", figures, f -> mib(f.statistics().flushes().bytesWritten())));
    lines.add(
        line(
            "written by compactions, MB",
            figures,
            f -> mib(f.statistics().compactions().bytesWritten())));
    lines.add(
        line("written to the log, MB", figures, f -> mib(f.statistics().log().bytesAppended())));
    lines.add(
        line(
            "write amplification",
            figures,
            f -> decimal(f.statistics().amplification().sinceOpening().write())));
    lines.add(line("time in GC, ms", figures, f -> whole(f.gcMillis())));
    lines.add(line("in-memory flushes", figures, f -> whole(memory(f).inMemoryFlushes())));
    lines.add(line("in-memory merges", figures, f -> whole(memory(f).merges())));
    lines.add(line("in-memory compactions", figures, f -> whole(memory(f).compactions())));
    lines.add(line("cells eliminated in memory", figures, f -> whole(memory(f).cellsEliminated())));
    lines.add(line("rows held in memory", figures, f -> whole(f.rowsInMemory())));
    lines.add(line("memory used, MB", figures, f -> mib(memory(f).usedBytes())));
    lines.add(line("close and open, s", figures, f -> decimal(f.reopenSeconds())));
    return lines;
  }

  private static MemoryStatistics memory(PolicyFigures figures) {
    return figures.statistics().memory();
  }

  private static String line(
      String label, List<PolicyFigures> figures, Function<PolicyFigures, String> value) {
    StringBuilder line = new StringBuilder(String.format("%-28s", label));
    for (PolicyFigures column : figures) {
      line.append(String.format("%16s", value.apply(column)));
    }
    return line.toString().stripTrailing();
  }

  private static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%,.0f", bytes / MIB);
  }
}
