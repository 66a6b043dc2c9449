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
    if (value < min || value > max) {
      String range = max == Long.MAX_VALUE ? min + " or more" : min + " to " + max;
      throw new IllegalArgumentException(option + " is " + value + ", expected " + range);
    }
  }
}
