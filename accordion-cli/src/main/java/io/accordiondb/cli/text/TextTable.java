// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.util.ArrayList;
import java.util.List;

/** A table for people: columns as wide as their widest cell, numbers to the right. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final List<Boolean> numeric = new ArrayList<>();

  /** Begins a table; a title that begins with {@code >} is that of a column of numbers. */
  public TextTable(String... titles) {
    List<String> head = new ArrayList<>();
    for (String title : titles) {
      boolean isNumber = title.startsWith(">");
      numeric.add(isNumber);
      head.add(isNumber ? title.substring(1) : title);
    }
    rows.add(head);
  }

  /** Adds a row with a value for each column. */
  public TextTable row(Object... values) {
    if (values.length != numeric.size()) {
      throw new IllegalArgumentException(values.length + " values for " + numeric.size());
    }
    List<String> row = new ArrayList<>();
    for (Object value : values) {
      row.add(PlainText.of(value));
    }
    rows.add(row);
    return this;
  }

  /** Returns a text as lines of up to a width, broken between words. */
  public static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    if (line.length() > 0) {
      lines.add(line.toString());
    }
    return lines;
  }

  /** Returns the lines, that of the titles first. */
  public List<String> lines() {
    int[] widths = new int[numeric.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : GAP);
        line.append(numeric.get(i) ? padding + row.get(i) : row.get(i) + padding);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
