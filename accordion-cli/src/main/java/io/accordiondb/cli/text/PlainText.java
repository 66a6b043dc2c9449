// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.util.Locale;

/**
 * Text that files or messages hold, made fit for a terminal, which would obey the control
 * characters in it. Pure functions.
 */
public final class PlainText {
  private static final int DELETE = 0x7F;
  private static final int CONTROL_MAX = 0x9F;

  private PlainText() {}

  /** Returns a value as text, with control characters other than line ends and tabs as \xHH. */
  public static String of(Object value) {
    String text = String.valueOf(value);
    int at = 0;
    while (at < text.length() && !isControl(text.charAt(at))) {
      at++;
    }
    if (at == text.length()) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.substring(0, at));
    for (; at < text.length(); at++) {
      char each = text.charAt(at);
      plain.append(isControl(each) ? String.format(Locale.ROOT, "\\x%02X", (int) each) : each);
    }
    return plain.toString();
  }

  private static boolean isControl(char each) {
    return each < ' ' ? each != '\n' && each != '\t' : each >= DELETE && each <= CONTROL_MAX;
  }
}
