// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.time.Duration;

/** Checks the values of options. Pure functions. */
final class OptionBounds {
  static final long MIB = 1 << 20;

  private OptionBounds() {}

  /**
   * Returns a value.
   *
   * @param what the option, named in the message
   * @throws IllegalArgumentException if the value is not within the bounds, which are inclusive
   */
  static long checked(String what, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " is " + value + ", expected " + min + " to " + max);
    }
    return value;
  }

  /**
   * Returns a duration in whole milliseconds, or the nearest {@code long}. It is rounded down, so a
   * negative one never passes for zero, which {@link Duration#toMillis} may return for it.
   */
  static long millisOf(Duration duration) {
    try {
      return Math.addExact(
          Math.multiplyExact(duration.getSeconds(), 1000L), duration.toMillisPart());
    } catch (ArithmeticException e) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
