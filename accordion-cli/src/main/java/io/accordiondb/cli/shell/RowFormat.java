// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.Cell;
import io.accordiondb.Result;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Encoding;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.PlainText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** How rows are printed. Immutable. */
record RowFormat(Encoding keys, Encoding values) {
  /** Characters that a row takes at least, so that columns stand below each other. */
  private static final int ROW_WIDTH = 20;

  /** Returns the format of the session, as options change it. */
  static RowFormat of(Session session, Arguments arguments) {
    String keys = arguments.wordOption("KEYS");
    String values = arguments.wordOption("VALUES");
    return new RowFormat(
        keys == null ? session.keyEncoding() : arguments.choice(Encoding.class, keys, "KEYS"),
        values == null
            ? session.valueEncoding()
            : arguments.choice(Encoding.class, values, "VALUES"));
  }

  /** Prints the head of a table of rows. */
  void printHead(ShellOutput out) throws IOException {
    out.note(padded("ROW") + " COLUMN+CELL");
  }

  /** Prints a row: a line for each cell, or an object. */
  void print(ShellOutput out, Result row) throws IOException {
    for (Cell cell : row.cells()) {
      if (out.json()) {
        out.fields(
            new Fields()
                .with("row", BytesText.format(cell.row(), keys))
                .with("family", new String(cell.family(), StandardCharsets.UTF_8))
                .with("qualifier", BytesText.format(cell.qualifier(), keys))
                .with("timestamp", cell.timestamp())
                .with("value", BytesText.format(cell.value(), values)));
      } else {
        String key = BytesText.format(cell.row(), keys);
        out.line(
            out.name(key)
                + " ".repeat(Math.max(0, ROW_WIDTH - key.length()))
                + " column="
                + PlainText.of(Column.format(cell.family(), cell.qualifier(), keys))
                + ", timestamp="
                + cell.timestamp()
                + ", value="
                + BytesText.format(cell.value(), values));
      }
    }
  }

  private static String padded(String text) {
    return text + " ".repeat(ROW_WIDTH - text.length());
  }
}
