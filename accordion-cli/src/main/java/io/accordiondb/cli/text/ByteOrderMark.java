// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

/** The mark with which some editors begin a file in UTF-8; it is no part of the text. */
public final class ByteOrderMark {
  private static final String MARK = "\uFEFF";

  private ByteOrderMark() {}

  /** Returns the first line of a file without the mark. */
  public static String cut(String firstLine) {
    return firstLine.startsWith(MARK) ? firstLine.substring(MARK.length()) : firstLine;
  }
}
