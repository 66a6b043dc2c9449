// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of texts: the first column names the rows, the others are figures. Not thread-safe while
 * it is filled.
 */
public final class ReportTable {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  /** Begins a table with the titles of its columns. */
  public ReportTable(List<String> header) {
    this.header = List.copyOf(header);
  }

  /** Begins a table with the titles of its columns. */
  public ReportTable(String... header) {
    this(List.of(header));
  }

  /**
   * Adds a row.
   *
   * @return this table
   * @throws IllegalArgumentException if it has more or fewer cells than the header
   */
  public ReportTable row(List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          "the row has " + cells.size() + " cells, expected " + header.size());
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  /** Adds a row, as {@link #row(List)} does. */
  public ReportTable row(String... cells) {
    return row(List.of(cells));
  }

  /** Returns the titles of the columns. */
  public List<String> header() {
    return header;
  }

  /** Returns the rows. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  /** Returns lines for a terminal, with aligned columns. */
  public List<String> lines() {
    int[] widths = new int[header.size()];
    for (List<String> row : all()) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return all().stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder(row.get(0));
    line.append(" ".repeat(widths[0] - row.get(0).length()));
    for (int column = 1; column < widths.length; column++) {
      String cell = row.get(column);
      line.append("  ").append(" ".repeat(widths[column] - cell.length())).append(cell);
    }
    return line.toString().stripTrailing();
  }

  /** Returns lines of Markdown. */
  public List<String> markdown() {
    List<String> lines = new ArrayList<>();
    lines.add(markdownLine(header));
    lines.add("|" + "---|".repeat(header.size()));
    rows.forEach(row -> lines.add(markdownLine(row)));
    return lines;
  }

  private static String markdownLine(List<String> row) {
    return row.stream()
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  /** Returns lines of comma-separated values, quoted where needed (RFC 4180). */
  public List<String> csv() {
    return all().stream()
        .map(row -> row.stream().map(ReportTable::quoted).collect(Collectors.joining(",")))
        .toList();
  }

  private static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }

  private List<List<String>> all() {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    all.addAll(rows);
    return all;
  }
}
