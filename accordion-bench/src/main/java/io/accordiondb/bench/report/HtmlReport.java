// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A self-contained HTML page: text, tables, and embedded charts as SVG. It follows the light or
 * dark mode of the reader's system. Not thread-safe.
 */
public final class HtmlReport {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto;
             padding: 0 1rem; }
      h1, h2, h3 { line-height: 1.2; margin: 2rem 0 .5rem; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0; }
      th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8886; }
      th:first-child, td:first-child { text-align: left; }
      .wide { overflow-x: auto; }
      figure { margin: 1rem 0; background: #fff; border-radius: 4px; }
      figure svg { display: block; width: 100%; height: auto; }
      pre { overflow-x: auto; padding: .7rem; background: #8882; border-radius: 4px;
            font-size: 13px; }
      """;

  private final String title;
  private final StringBuilder body = new StringBuilder();

  /** Begins a page. */
  public HtmlReport(String title) {
    this.title = title;
  }

  /** Adds a heading below the title. */
  public HtmlReport heading(String text) {
    return add("<h2>" + escape(text) + "</h2>");
  }

  /** Adds a heading below {@link #heading}. */
  public HtmlReport subheading(String text) {
    return add("<h3>" + escape(text) + "</h3>");
  }

  /** Adds a paragraph. */
  public HtmlReport paragraph(String text) {
    return add("<p>" + escape(text) + "</p>");
  }

  /** Adds lines as they are: commands, settings. */
  public HtmlReport lines(List<String> lines) {
    return add("<pre>" + escape(String.join("\n", lines)) + "</pre>");
  }

  /** Adds a table. */
  public HtmlReport table(ReportTable table) {
    StringBuilder html = new StringBuilder("<div class=\"wide\"><table>\n<thead>");
    appendRow(html, table.header(), "th");
    html.append("</thead>\n<tbody>\n");
    for (List<String> row : table.rows()) {
      appendRow(html, row, "td");
      html.append('\n');
    }
    return add(html.append("</tbody></table></div>").toString());
  }

  private static void appendRow(StringBuilder html, List<String> cells, String tag) {
    html.append("<tr>");
    for (String cell : cells) {
      html.append('<').append(tag).append('>').append(escape(cell));
      html.append("</").append(tag).append('>');
    }
    html.append("</tr>");
  }

  /** Adds a chart. */
  public HtmlReport chart(Chart chart) {
    return add("<figure>" + chart.svg() + "</figure>");
  }

  private HtmlReport add(String html) {
    body.append(html).append('\n');
    return this;
  }

  /** Returns the page. */
  public String html() {
    return """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>%1$s</title>
    <style>
    %2$s</style>
    </head>
    <body>
    <h1>%1$s</h1>
    %3$s</body>
    </html>
    """
        .formatted(escape(title), STYLE, body);
  }

  /**
   * Writes the page; folders above it are created, a file of its name replaced.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, html());
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
