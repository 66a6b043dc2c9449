// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.util.Arrays;
import java.util.Locale;

/**
 * Keys and values as text. What is printed can be read back: text as it is, all else with the name
 * of its encoding before it, as in {@code hex:00ff}, {@code base64:AP8=} or {@code long:42}.
 */
public final class BytesText {
  /** For help and documents: how bytes may be given. */
  public static final String FORMS =
      "text with \\xHH for other bytes, hex:00ff, base64:AP8=, long:42 or int:42";

  private BytesText() {}

  /** Returns bytes as text that {@link #parse} reads; as text if the encoding does not suit. */
  public static String format(byte[] bytes, Encoding encoding) {
    String encoded = encoding.encode(bytes);
    if (encoded == null || encoding == Encoding.TEXT) {
      String text = EscapedText.encode(bytes);
      return hasPrefix(text) ? Encoding.TEXT.prefix() + text : text;
    }
    return encoding.prefix() + encoded;
  }

  /** Returns bytes as text with escapes. */
  public static String format(byte[] bytes) {
    return format(bytes, Encoding.TEXT);
  }

  /**
   * Reads bytes in any encoding.
   *
   * @throws IllegalArgumentException if the text is none; the message says why
   */
  public static byte[] parse(String text) {
    for (Encoding encoding : Encoding.values()) {
      if (text.startsWith(encoding.prefix())) {
        return decode(encoding, text.substring(encoding.prefix().length()), text);
      }
    }
    return decode(Encoding.TEXT, text, text);
  }

  private static byte[] decode(Encoding encoding, String encoded, String whole) {
    try {
      return encoding.decode(encoded);
    } catch (IllegalArgumentException e) {
      String why =
          encoding == Encoding.TEXT
              ? String.valueOf(e.getMessage())
              : "it is no " + encoding.name().toLowerCase(Locale.ROOT);
      throw new IllegalArgumentException(
          "\"" + whole + "\" cannot be read as bytes: " + why + "; give " + FORMS, e);
    }
  }

  private static boolean hasPrefix(String text) {
    return Arrays.stream(Encoding.values()).anyMatch(each -> text.startsWith(each.prefix()));
  }
}
