// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;

/** The names of a row's fields: field0, field1 …, padded so that their order is that of numbers. */
final class FieldNames {
  private FieldNames() {}

  /** Returns that many names. */
  static byte[][] of(int fields) {
    int digits = Integer.toString(fields - 1).length();
    byte[][] names = new byte[fields][];
    for (int field = 0; field < fields; field++) {
      names[field] = String.format(Locale.ROOT, "field%0" + digits + "d", field).getBytes(US_ASCII);
    }
    return names;
  }
}
