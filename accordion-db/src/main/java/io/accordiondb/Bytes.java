// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.nio.ByteBuffer;
import java.util.Locale;

/** Copies byte arrays and formats them for messages. */
final class Bytes {
  private static final int SHOWN_MAX = 64;

  private Bytes() {}

  /** Returns a copy of the remaining bytes of a buffer; its position does not move. */
  static byte[] copyOf(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  /** Returns the bytes as text, unprintable ones in hexadecimal, at most {@value #SHOWN_MAX}. */
  static String show(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(SHOWN_MAX, bytes.length); i++) {
      byte b = bytes[i];
      if (b >= ' ' && b <= '~' && b != '\\') {
        text.append((char) b);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02X", b & 0xFF));
      }
    }
    return bytes.length > SHOWN_MAX ? text + "... (" + bytes.length + " bytes)" : text.toString();
  }
}
