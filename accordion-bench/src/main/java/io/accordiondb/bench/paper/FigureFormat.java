// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.report.Spread;
import java.util.Locale;

/** Formats figures. */
final class FigureFormat {
  private static final double MEGABYTE = 1e6;

  private FigureFormat() {}

  static String whole(double value) {
    return format("%,.0f", value);
  }

  static String ratio(double value) {
    return format("%.2f", value);
  }

  /** Returns the median, with the lowest and the highest in brackets if there are several. */
  static String whole(Spread spread) {
    return text(spread, "%,.0f", 1);
  }

  /** Returns the median, with the lowest and the highest in brackets if there are several. */
  static String ratio(Spread spread) {
    return text(spread, "%.2f", 1);
  }

  /** Returns the median in megabytes, with the lowest and the highest if there are several. */
  static String megabytes(Spread bytes) {
    return text(bytes, "%,.0f", MEGABYTE);
  }

  private static String text(Spread spread, String pattern, double unit) {
    String median = format(pattern, spread.median() / unit);
    return spread.lowest() == spread.highest()
        ? median
        : format(
            "%s (" + pattern + " to " + pattern + ")",
            median,
            spread.lowest() / unit,
            spread.highest() / unit);
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
