// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.top;

import java.util.Locale;

/** Formats numbers for a terminal. */
final class Figures {
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  private static final double MICROS_A_MILLI = 1e3;
  private static final double MICROS_A_SECOND = 1e6;

  private Figures() {}

  static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1000) {
      value /= 1000;
      unit++;
    }
    return unit == 0 || value >= 100
        ? String.format(Locale.ROOT, "%.0f %s", value, UNITS[unit])
        : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  static String whole(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f%%", share * 100);
  }

  static String micros(double micros) {
    if (micros < MICROS_A_MILLI) {
      return String.format(Locale.ROOT, "%.1f us", micros);
    }
    return micros < MICROS_A_SECOND
        ? String.format(Locale.ROOT, "%.1f ms", micros / MICROS_A_MILLI)
        : String.format(Locale.ROOT, "%.1f s", micros / MICROS_A_SECOND);
  }
}
