// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import java.util.Locale;

/** Formats rows as readable text. */
public final class PrintableBytes {
  private static final int BYTES_MAX = 64;

  private PrintableBytes() {}

  /** Returns bytes as text, those that do not print as {@code \xHH}; cut off after 64 bytes. */
  public static String of(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(bytes.length, BYTES_MAX); i++) {
      byte b = bytes[i];
      if (b > ' ' && b <= '~' && b != '\\') {
        text.append((char) b);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02X", b & 0xFF));
      }
    }
    return bytes.length > BYTES_MAX ? text + "..." : text.toString();
  }
}
