// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchResult.Latency;
import io.accordiondb.bench.report.ReportTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The columns with percentiles, which are the same in the {@link ReportTable} of every command. */
public final class LatencyColumns {
  /** Their titles. */
  public static final List<String> TITLES =
      List.of("p50 µs", "p99 µs", "p99.9 µs", "p99.99 µs", "longest µs");

  private static final String UNKNOWN = "-";

  private LatencyColumns() {}

  /** Returns a header or a row: cells that come before these columns, them, and cells after. */
  public static List<String> between(
      List<String> before, List<String> columns, List<String> after) {
    List<String> row = new ArrayList<>(before);
    row.addAll(columns);
    row.addAll(after);
    return row;
  }

  /** Returns their cells; hyphens if nothing was timed. */
  public static List<String> cells(@Nullable Latency micros) {
    if (micros == null) {
      return Collections.nCopies(TITLES.size(), UNKNOWN);
    }
    return List.of(
        format("%,.1f", micros.p50()),
        format("%,.1f", micros.p99()),
        format("%,.0f", micros.p999()),
        format("%,.0f", micros.p9999()),
        format("%,.0f", micros.max()));
  }

  private static String format(String pattern, double micros) {
    return String.format(Locale.ROOT, pattern, micros);
  }
}
