// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Encoding;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.LineOutput;
import io.accordiondb.cli.text.PlainText;
import io.accordiondb.cli.text.TextTable;
import io.accordiondb.inspect.Damage;
import io.accordiondb.inspect.FileKind;
import io.accordiondb.inspect.Inspector;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where inspections print, and how. Remembers whether anything was damaged. Not thread-safe. */
public final class InspectOutput {
  /**
   * What the user asked for. Immutable.
   *
   * @param folder of the database
   * @param file which file, or null
   * @param blocks whether blocks are listed
   * @param cells whether cells are listed
   * @param keys how rows and qualifiers are shown
   * @param values how values are shown
   */
  public record Wishes(
      Path folder,
      @Nullable String file,
      boolean blocks,
      boolean cells,
      Encoding keys,
      Encoding values) {}

  private final LineOutput out;
  private final PrintWriter err;
  private final boolean json;
  private final Wishes wishes;
  private boolean damaged;

  /** Creates an output; the caller keeps the writers. */
  public InspectOutput(PrintWriter out, PrintWriter err, boolean json, Wishes wishes) {
    this.out = new LineOutput(out);
    this.err = err;
    this.json = json;
    this.wishes = wishes;
  }

  /** Reports damage on standard error and, in JSON, also in the output. */
  public void damage(Damage damage) {
    damaged = true;
    err.println("damaged: " + PlainText.of(damage.message()));
    if (json) {
      try {
        json(
            "damage",
            new Fields()
                .with("file", damage.file())
                .with("offset", damage.offset())
                .with("message", damage.message()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns whether there was damage. */
  public boolean isDamaged() {
    return damaged;
  }

  /** Has all that was printed leave the process. */
  public void finish() throws IOException {
    out.flush();
  }

  PrintWriter err() {
    return err;
  }

  boolean json() {
    return json;
  }

  Wishes wishes() {
    return wishes;
  }

  /** Prints a line for people; nothing in JSON. */
  void line(String text) throws IOException {
    if (!json) {
      out.line(PlainText.of(text));
    }
  }

  /** Prints an object that says what it is, in JSON alone. */
  void json(String type, Fields fields) throws IOException {
    if (json) {
      Fields typed = new Fields().with("type", type);
      fields.map().forEach(typed::with);
      out.line(Json.write(typed.map()));
    }
  }

  /** Prints things with the same fields: a table, or one object a line. */
  void items(String type, List<Fields> items) throws IOException {
    if (json) {
      for (Fields item : items) {
        json(type, item);
      }
    } else if (!items.isEmpty()) {
      String[] titles =
          items.get(0).map().entrySet().stream()
              .map(field -> (field.getValue() instanceof Number ? ">" : "") + field.getKey())
              .toArray(String[]::new);
      TextTable table = new TextTable(titles);
      items.forEach(item -> table.row(item.map().values().toArray()));
      for (String line : table.lines()) {
        out.line(line);
      }
    }
  }

  /** Prints names and values: a line each, or one object. */
  void fields(String type, Fields fields) throws IOException {
    json(type, fields);
    if (!json) {
      int width = fields.map().keySet().stream().mapToInt(String::length).max().orElse(0);
      for (var field : fields.map().entrySet()) {
        out.line(
            field.getKey()
                + " ".repeat(width - field.getKey().length() + 2)
                + PlainText.of(field.getValue()));
      }
    }
  }

  String key(byte[] key) {
    return BytesText.format(key, wishes.keys());
  }

  String value(byte[] value) {
    return BytesText.format(value, wishes.values());
  }

  /** Returns the files that were asked for: the one that was named, or all of a list. */
  List<String> files(Inspector inspector, FileKind kind, List<String> all) throws IOException {
    String named = wishes.file();
    if (named == null) {
      return new ArrayList<>(all);
    }
    String found = inspector.find(kind, named);
    if (found == null) {
      throw new IOException(
          "the database has no such file as \"" + named + "\"; it has " + shown(all));
    }
    return List.of(found);
  }

  private static String shown(List<String> all) {
    int max = 10;
    return all.size() <= max
        ? String.join(", ", all)
        : String.join(", ", all.subList(0, max)) + " and " + (all.size() - max) + " more";
  }
}
