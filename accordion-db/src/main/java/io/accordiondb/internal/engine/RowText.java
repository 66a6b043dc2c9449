// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

/** Rows as text for people. */
final class RowText {
  private static final int BYTES_MAX = 64;

  private RowText() {}

  /** Returns a row in text, bytes that do not print in hexadecimal; cut off after 64 bytes. */
  static String of(byte[] row) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(row.length, BYTES_MAX); i++) {
      byte b = row[i];
      if (b > ' ' && b <= '~' && b != '\\') {
        text.append((char) b);
      } else {
        text.append(String.format("\\x%02X", b & 0xFF));
      }
    }
    return row.length > BYTES_MAX ? text + "..." : text.toString();
  }
}
