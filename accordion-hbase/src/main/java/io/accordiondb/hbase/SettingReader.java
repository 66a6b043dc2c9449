// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads values of HBase's configuration; the error for a value that is not allowed lists those that
 * are.
 */
final class SettingReader {
  private SettingReader() {}

  /** Returns a number from 0, inclusive or exclusive, to 1. */
  static double fraction(Configuration configuration, String key, double standard, boolean zero) {
    String text = configuration.getTrimmed(key);
    if (text == null) {
      return standard;
    }
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if ((zero ? value >= 0 : value > 0) && value <= 1) {
      return value;
    }
    throw wrong(key, text, zero ? "a number from 0 to 1" : "a number above 0, at most 1");
  }

  static int integer(Configuration configuration, String key, int standard, int min, int max) {
    String text = configuration.getTrimmed(key);
    if (text == null) {
      return standard;
    }
    long value;
    try {
      value = Long.parseLong(text);
    } catch (NumberFormatException e) {
      value = Long.MIN_VALUE;
    }
    if (value >= min && value <= max) {
      return (int) value;
    }
    throw wrong(key, text, "a whole number from " + min + " to " + max);
  }

  /** Returns a constant of an enumeration by its name, in upper or lower case. */
  static <E extends Enum<E>> E choice(
      Configuration configuration, String key, Class<E> type, E standard) {
    String text = configuration.getTrimmed(key);
    if (text == null) {
      return standard;
    }
    for (E choice : type.getEnumConstants()) {
      if (choice.name().equals(text.toUpperCase(Locale.ROOT))) {
        return choice;
      }
    }
    throw wrong(key, text, "one of " + Arrays.toString(type.getEnumConstants()));
  }

  static IllegalArgumentException wrong(String key, String value, String allowed) {
    return new IllegalArgumentException(key + " is \"" + value + "\", expected " + allowed);
  }
}
