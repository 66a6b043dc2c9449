// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.top;

import io.accordiondb.cli.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures as text: a screen of a terminal, or a line. Pure. */
public final class TopText {
  /** The smallest terminal that shows something of use. */
  public static final int COLUMNS_MIN = 40;

  /** The smallest terminal that shows something of use. */
  public static final int LINES_MIN = 10;

  private static final String GET = "operations.GET";
  private static final String COUNT = ".count";
  private static final int BAR_MAX = 40;

  private final Reading before;
  private final Reading now;

  /**
   * Creates the text of a database.
   *
   * @param before an earlier reading, for rates; the same one if there is none
   */
  public TopText(Reading before, Reading now) {
    this.before = before;
    this.now = now;
  }

  /** Returns all that matters in one line. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "%s: %s cells/s written, %s gets/s, memory %s of %s, pipeline %d, %s dropped, log %s,"
            + " %d flushes, %d compactions, %d files with %s, cache %s, write amplification %.2f,"
            + " %d writes stalled%s",
        PlainText.of(now.database()),
        Figures.whole(now.rate(before, "writes.cells", "")),
        Figures.whole(now.rate(before, GET, COUNT)),
        Figures.bytes(now.whole("memory.usedBytes")),
        Figures.bytes(now.whole("memory.budgetBytes")),
        now.whole("memory.pipelineSegments"),
        Figures.bytes(now.whole("memory.bytesEliminated")),
        Figures.bytes(now.whole("log.bytes")),
        now.whole("flushes.count"),
        now.whole("compactions.count"),
        now.whole("files.count"),
        Figures.bytes(now.whole("files.bytes")),
        Figures.percent(now.real("cache.hitRatio")),
        now.real("amplification.write"),
        now.sum("stalls.", COUNT),
        refusal().isEmpty() ? "" : ", " + refusal());
  }

  /** Returns that writes are refused, and why; empty if they are not. */
  private String refusal() {
    String state = now.text("health.writes");
    return state.isEmpty() || state.equals("OK")
        ? ""
        : "writes " + state + ": " + now.text("health.reason");
  }

  /** Returns lines for a terminal, none longer than it is wide, and at most a number of them. */
  public List<String> screen(int columns, int linesMax) {
    List<String> lines = new ArrayList<>();
    lines.add(now.database());
    addHealth(lines);
    addBars(lines, columns);
    addRates(lines);
    addStores(lines);
    addLatencies(lines);
    return lines.stream()
        .limit(linesMax)
        .map(PlainText::of)
        .map(line -> line.length() > columns ? line.substring(0, columns) : line)
        .toList();
  }

  private void addHealth(List<String> lines) {
    if (!refusal().isEmpty()) {
      lines.add(refusal());
    }
    long errors = now.whole("health.backgroundErrors");
    long corruptions = now.whole("health.corruptions");
    if (errors + corruptions > 0) {
      String last = now.text("health.lastBackgroundError");
      lines.add(
          String.format(
              Locale.ROOT,
              "failures %d of background work, %d damaged places%s",
              errors,
              corruptions,
              last.isEmpty() ? "" : "; the last: " + last));
    }
  }

  private void addBars(List<String> lines, int columns) {
    int width = Math.max(5, Math.min(BAR_MAX, columns - 36));
    lines.add(bar("memory", "memory.usedBytes", "memory.budgetBytes", width));
    if (now.whole("log.bytesMax") > 0) {
      lines.add(bar("log", "log.bytes", "log.bytesMax", width));
    } else {
      lines.add("log      " + Figures.bytes(now.whole("log.bytes")));
    }
    lines.add(bar("cache", "cache.usedBytes", "cache.budgetBytes", width));
  }

  private String bar(String label, String used, String max, int width) {
    double share = now.whole(max) == 0 ? 0 : (double) now.whole(used) / now.whole(max);
    int full = (int) Math.round(Math.min(1, share) * width);
    return String.format(
        Locale.ROOT,
        "%-8s [%s%s] %s of %s",
        label,
        "|".repeat(full),
        " ".repeat(width - full),
        Figures.bytes(now.whole(used)),
        Figures.bytes(now.whole(max)));
  }

  private void addRates(List<String> lines) {
    lines.add(
        String.format(
            Locale.ROOT,
            "a second %s cells written (%s), %s gets, %s rows scanned",
            Figures.whole(now.rate(before, "writes.cells", "")),
            Figures.bytes(now.rate(before, "writes.bytes", "")),
            Figures.whole(now.rate(before, GET, COUNT)),
            Figures.whole(now.rate(before, "operations.SCAN_NEXT", COUNT))));
    lines.add(
        String.format(
            Locale.ROOT,
            "disk     %d flushes (%s), %d compactions (%s), write amplification %.2f",
            now.whole("flushes.count"),
            Figures.bytes(now.whole("flushes.bytesWritten")),
            now.whole("compactions.count"),
            Figures.bytes(now.whole("compactions.bytesWritten")),
            now.real("amplification.write")));
    lines.add(
        String.format(
            Locale.ROOT,
            "bellows  %s seals, %s merges, %s compactions, %s cells dropped (%s)",
            Figures.whole(now.whole("memory.inMemoryFlushes")),
            Figures.whole(now.whole("memory.merges")),
            Figures.whole(now.whole("memory.compactions")),
            Figures.whole(now.whole("memory.cellsEliminated")),
            Figures.bytes(now.whole("memory.bytesEliminated"))));
    long waiting = now.sum("stalls.", ".waiting");
    String reason = now.text("stalls.lastReason");
    lines.add(
        String.format(
            Locale.ROOT,
            "stalls   %d, %d waiting now%s",
            now.sum("stalls.", COUNT),
            waiting,
            reason.isEmpty() ? "" : "; the last: " + reason));
  }

  private void addLatencies(List<String> lines) {
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT, "%-22s %14s %10s %10s %10s", "OPERATION", "COUNT", "P50", "P99", "MAX"));
    String prefix = "operations.";
    for (String name : now.values().keySet()) {
      if (name.startsWith(prefix) && name.endsWith(COUNT) && now.whole(name) > 0) {
        String kind = name.substring(0, name.length() - COUNT.length());
        lines.add(
            String.format(
                Locale.ROOT,
                "%-22s %14s %10s %10s %10s",
                kind.substring(prefix.length()),
                Figures.whole(now.whole(name)),
                Figures.micros(now.real(kind + ".p50Micros")),
                Figures.micros(now.real(kind + ".p99Micros")),
                Figures.micros(now.real(kind + ".maxMicros"))));
      }
    }
  }

  private void addStores(List<String> lines) {
    lines.add(
        String.format(
            Locale.ROOT,
            "%-24s %9s %5s %6s %9s %5s %5s  %s",
            "STORE",
            "POLICY",
            "PIPE",
            "FILES",
            "MEMORY",
            "U",
            "T",
            "DECISION"));
    for (Map<String, Object> store : now.stores()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%-24s %9s %5s %6s %9s %5s %5s  %s",
              store.get("table") + "/" + store.get("family") + "/" + store.get("region"),
              store.get("policy"),
              store.get("pipelineSegments"),
              store.get("files"),
              Figures.bytes(number(store, "memoryBytes")),
              fraction(number(store, "uniqueness")),
              fraction(number(store, "throttle")),
              store.get("lastDecision")));
    }
  }

  private static double number(Map<String, Object> store, String column) {
    return store.get(column) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static String fraction(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }
}
