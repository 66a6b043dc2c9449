// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.util.Locale;

/** Numbers of bytes, rates and times for people. */
public final class Sizes {
  private static final String[] UNITS = {"bytes", "KB", "MB", "GB", "TB"};
  private static final double STEP = 1024;

  private Sizes() {}

  /** Returns a number of bytes with a unit, of which a KB has 1024. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= STEP && unit < UNITS.length - 1) {
      value /= STEP;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
  }
}
