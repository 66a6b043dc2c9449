// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Bytes as characters: printable ASCII as it is, all other bytes as {@code \xHH}, as HBase's shell
 * prints them. What is read may also have other characters, which stand for their UTF-8, and {@code
 * \n}, {@code \r}, {@code \t}, {@code \\}, {@code \'} and {@code \"}.
 */
final class EscapedText {
  private static final int DIGITS = 2;
  private static final int RADIX = 16;

  private EscapedText() {}

  static String encode(byte[] bytes) {
    StringBuilder text = new StringBuilder(bytes.length);
    for (byte each : bytes) {
      if (each >= ' ' && each <= '~' && each != '\\') {
        text.append((char) each);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02X", each));
      }
    }
    return text.toString();
  }

  static byte[] decode(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('\\', at);
      if (end < 0) {
        end = text.length();
      }
      bytes.writeBytes(text.substring(at, end).getBytes(StandardCharsets.UTF_8));
      at = end < text.length() ? decodeEscape(text, end, bytes) : end;
    }
    return bytes.toByteArray();
  }

  /** Decodes the escape that begins at a place; returns where it ends. */
  private static int decodeEscape(String text, int at, ByteArrayOutputStream bytes) {
    char kind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    int from = at + 2;
    switch (kind) {
      case 'x' -> {
        int to = from + DIGITS;
        if (to > text.length() || !isHex(text.charAt(from)) || !isHex(text.charAt(from + 1))) {
          throw new IllegalArgumentException("\\x needs two hexadecimal digits");
        }
        bytes.write(Integer.parseInt(text.substring(from, to), RADIX));
        return to;
      }
      case 'n' -> bytes.write('\n');
      case 'r' -> bytes.write('\r');
      case 't' -> bytes.write('\t');
      case '\\', '\'', '"' -> bytes.write(kind);
      default ->
          throw new IllegalArgumentException(
              "\\ needs x and two hexadecimal digits, n, r, t, \\, ' or \" behind it");
    }
    return from;
  }

  private static boolean isHex(char digit) {
    return Character.digit(digit, RADIX) >= 0 && digit < 128;
  }
}
