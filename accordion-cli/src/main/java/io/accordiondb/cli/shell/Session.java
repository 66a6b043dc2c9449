// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.Database;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.WriteBatch;
import io.accordiondb.cli.text.Encoding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open database and the state that statements have set: encodings, snapshots, an open batch.
 * Belongs to one thread; closing it releases the snapshots, not the database.
 */
final class Session implements AutoCloseable {
  private final Database database;
  private final ShellMode mode;
  private final ShellOutput out;
  private final Map<String, Snapshot> snapshots = new LinkedHashMap<>();
  private Encoding keyEncoding = Encoding.TEXT;
  private Encoding valueEncoding = Encoding.TEXT;
  private @Nullable WriteBatch batch;
  private boolean ended;

  Session(Database database, ShellMode mode, ShellOutput out) {
    this.database = database;
    this.mode = mode;
    this.out = out;
  }

  Database database() {
    return database;
  }

  ShellMode mode() {
    return mode;
  }

  ShellOutput out() {
    return out;
  }

  Table table(String name) throws IOException {
    return database.table(name);
  }

  Encoding keyEncoding() {
    return keyEncoding;
  }

  Encoding valueEncoding() {
    return valueEncoding;
  }

  void encode(Encoding keys, Encoding values) {
    keyEncoding = keys;
    valueEncoding = values;
  }

  /** Returns the batch that is being filled, or null. */
  @Nullable WriteBatch batch() {
    return batch;
  }

  void batch(@Nullable WriteBatch begun) {
    batch = begun;
  }

  Map<String, Snapshot> snapshots() {
    return snapshots;
  }

  /** Ends the shell behind the statement that is running. */
  void end() {
    ended = true;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Runs a statement. */
  void run(Statement statement) throws IOException {
    Command command = Commands.find(statement.name());
    if (command == null) {
      throw new IllegalArgumentException(unknown(statement.name()));
    }
    if (command.writes() && mode.isReadOnly()) {
      throw new IOException(
          command.name()
              + " cannot be run: the database is open for reading only; "
              + mode.remedy());
    }
    out.begin();
    try {
      command.action().run(this, new Arguments(command, statement));
    } catch (TableNotFoundException e) {
      throw new UnknownNameException(first(e) + "; list shows the tables", e);
    } catch (FamilyNotFoundException e) {
      throw new UnknownNameException(first(e) + "; describe TABLE shows the families", e);
    } finally {
      out.end();
    }
  }

  /** Returns what a message says before it says what to do, which is different here. */
  private static String first(Exception e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf(';');
    return end < 0 ? message : message.substring(0, end);
  }

  private static String unknown(String name) {
    List<String> near = new ArrayList<>();
    String lower = name.toLowerCase(Locale.ROOT);
    for (Command command : Commands.all()) {
      boolean isNear = command.name().startsWith(lower) || lower.startsWith(command.name());
      if (isNear && !lower.isEmpty()) {
        near.add(command.name());
      }
    }
    return "there is no command "
        + name
        + (near.isEmpty() ? "" : "; do you mean " + String.join(" or ", near) + "?")
        + "; help lists all commands";
  }

  @Override
  public void close() {
    snapshots.values().forEach(Snapshot::close);
    snapshots.clear();
  }
}
