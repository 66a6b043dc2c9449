// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

/** Checks the numbers that options give. */
final class Limits {
  private Limits() {}

  /**
   * Checks that an option's number lies in a range, both ends of it included.
   *
   * @throws IllegalArgumentException if it does not; the message names the option and the range
   */
  static void check(String option, long value, long min, long max) {
    check(option, value, min, max, "");
  }

  /** Same as {@link #check(String, long, long, long)}; the message also names the unit. */
  static void check(String option, long value, long min, long max, String unit) {
    if (value < min || value > max) {
      String range = max == Long.MAX_VALUE ? min + " or more" : min + " to " + max;
      range += unit.isEmpty() ? "" : " " + unit;
      throw new IllegalArgumentException(option + " is " + value + ", expected " + range);
    }
  }
}
