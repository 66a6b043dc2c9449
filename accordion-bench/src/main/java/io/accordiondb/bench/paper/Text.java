// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.report.Spread;
import java.util.Locale;

/** How figures are written. */
final class Text {
  private static final double MEGABYTE = 1e6;

  private Text() {}

  static String whole(double value) {
    return format("%,.0f", value);
  }

  static String ratio(double value) {
    return format("%.2f", value);
  }

  /** Returns the median, and the lowest and highest in brackets. */
  static String whole(Spread spread) {
    return format("%,.0f (%,.0f to %,.0f)", spread.median(), spread.lowest(), spread.highest());
  }

  /** Returns the median, and the lowest and highest in brackets. */
  static String ratio(Spread spread) {
    return format("%.2f (%.2f to %.2f)", spread.median(), spread.lowest(), spread.highest());
  }

  /** Returns the median in megabytes, and the lowest and highest in brackets. */
  static String megabytes(Spread bytes) {
    return format(
        "%,.0f (%,.0f to %,.0f)",
        bytes.median() / MEGABYTE, bytes.lowest() / MEGABYTE, bytes.highest() / MEGABYTE);
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
