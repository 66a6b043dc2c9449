// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.cli.shell.Command.Kind;
import io.accordiondb.cli.text.Fields;
import java.io.IOException;
import java.util.List;

/** Commands about memory, files and regions. */
final class UpkeepCommands {
  private static final List<Kind> TABLE = List.of(Kind.TABLE);

  private UpkeepCommands() {}

  static List<Command> all() {
    return List.of(
        Command.writing(
            "flush",
            "[TABLE]",
            "Writes the memory of a table, or of all, to disk.",
            TABLE,
            UpkeepCommands::flush),
        Command.writing(
            "flush_memory",
            "TABLE",
            "Seals the active segments of a table, which then move through the pipeline.",
            TABLE,
            UpkeepCommands::flushMemory),
        Command.writing(
            "compact",
            "TABLE",
            "Merges those sorted tables that the style of each family suggests.",
            TABLE,
            UpkeepCommands::compact),
        Command.writing(
            "major_compact",
            "TABLE",
            "Merges all sorted tables, and drops what can no longer be read.",
            TABLE,
            UpkeepCommands::majorCompact),
        Command.writing(
            "split",
            "TABLE, ROW",
            "Splits the region that has a row; the upper part begins with it.",
            List.of(Kind.TABLE, Kind.ROW),
            UpkeepCommands::split),
        Command.writing(
            "merge",
            "TABLE, ROW",
            "Merges the region that has a row with the next one.",
            List.of(Kind.TABLE, Kind.ROW),
            UpkeepCommands::merge));
  }

  private static void flush(Session session, Arguments arguments) throws IOException {
    arguments.check(1);
    if (arguments.has(0)) {
      session.database().flush(arguments.name(0, "a table"));
    } else {
      session.database().flush();
    }
  }

  private static void flushMemory(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    arguments.check(1);
    session.database().flushInMemory(table);
  }

  private static void compact(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    arguments.check(1);
    session.database().compact(table);
    session.out().checkInterrupted();
  }

  private static void majorCompact(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    arguments.check(1);
    session.database().majorCompact(table);
    session.out().checkInterrupted();
  }

  private static void split(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    byte[] row = arguments.bytes(1, "a row");
    arguments.check(2);
    boolean done = session.database().splitRegion(table, row);
    session.out().fields(new Fields().with("split", done));
  }

  private static void merge(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    byte[] row = arguments.bytes(1, "a row");
    arguments.check(2);
    boolean done = session.database().mergeRegions(table, row);
    session.out().fields(new Fields().with("merged", done));
  }
}
