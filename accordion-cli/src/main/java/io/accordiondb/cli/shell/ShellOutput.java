// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.LineOutput;
import io.accordiondb.cli.text.PlainText;
import io.accordiondb.cli.text.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The output of statements, as text or JSON, page by page on a terminal. Belongs to one thread. */
final class ShellOutput {
  /** Asks at the end of each screen whether to go on. */
  interface Pager {
    /** Begins a new command. */
    void begin();

    /** Called before a line is printed; returns whether to continue. */
    boolean mayPrint(String line);
  }

  private static final String RESET = "\u001b[0m";

  private final LineOutput out;
  private final boolean json;
  private final boolean colors;
  private final @Nullable Pager pager;
  private final BooleanSupplier isInterrupted;

  ShellOutput(
      PrintWriter out,
      boolean json,
      boolean colors,
      @Nullable Pager pager,
      BooleanSupplier isInterrupted) {
    this.out = new LineOutput(out);
    this.json = json;
    this.colors = colors;
    this.pager = pager;
    this.isInterrupted = isInterrupted;
  }

  boolean json() {
    return json;
  }

  /** Begins the output of a statement. */
  void begin() {
    if (pager != null) {
      pager.begin();
    }
  }

  /** Ends the output of a statement. */
  void end() throws IOException {
    out.flush();
  }

  /** Throws if the user has interrupted the statement. Every long loop calls it. */
  void checkInterrupted() throws CommandStoppedException {
    if (isInterrupted.getAsBoolean()) {
      throw new CommandStoppedException();
    }
  }

  /** Prints a line, whatever the format; it may hold colors, and must hold no text of others. */
  void line(String text) throws IOException {
    checkInterrupted();
    if (pager != null && !pager.mayPrint(text)) {
      throw new CommandStoppedException();
    }
    out.line(text);
  }

  /** Prints a line for people; nothing in JSON. */
  void note(String text) throws IOException {
    if (!json) {
      line(PlainText.of(text));
    }
  }

  /** Prints names and values: a line each, or one object. */
  void fields(Fields fields) throws IOException {
    if (json) {
      line(Json.write(fields.map()));
      return;
    }
    int width = fields.map().keySet().stream().mapToInt(String::length).max().orElse(0);
    for (Map.Entry<String, Object> field : fields.map().entrySet()) {
      line(
          name(field.getKey())
              + " ".repeat(width - field.getKey().length() + 2)
              + PlainText.of(field.getValue()));
    }
  }

  /** Prints things with the same fields: a table, or one object a line. */
  void items(List<Fields> items) throws IOException {
    if (json) {
      for (Fields item : items) {
        line(Json.write(item.map()));
      }
      return;
    }
    if (items.isEmpty()) {
      return;
    }
    TextTable table = new TextTable(items.get(0).map().keySet().toArray(new String[0]));
    for (Fields item : items) {
      table.row(item.map().values().toArray());
    }
    for (String row : table.lines()) {
      line(row);
    }
  }

  /** Returns a text as names and keys are shown. */
  String name(String text) {
    String plain = PlainText.of(text);
    return colors ? "\u001b[36m" + plain + RESET : plain;
  }
}
