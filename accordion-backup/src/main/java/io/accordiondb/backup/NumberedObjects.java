// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Objects whose names are a prefix and a number in ten digits. */
final class NumberedObjects {
  private NumberedObjects() {}

  static String nameOf(String prefix, long number) {
    return prefix + String.format(Locale.ROOT, "%010d", number);
  }

  /** Returns the numbers of all objects with a prefix, in order. */
  static List<Long> numbers(BackupTarget target, String prefix) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (String name : target.list(prefix).keySet()) {
      String digits = name.substring(prefix.length());
      if (digits.matches("\\d{10}")) {
        numbers.add(Long.parseLong(digits));
      }
    }
    numbers.sort(null);
    return numbers;
  }
}
