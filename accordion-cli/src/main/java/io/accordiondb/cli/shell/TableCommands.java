// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.shell.Command.Kind;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Commands about tables and families. */
final class TableCommands {
  private TableCommands() {}

  static List<Command> all() {
    List<Kind> table = List.of(Kind.TABLE);
    return List.of(
        Command.reading(
            "list", "[PREFIX]", "Lists the tables.", List.of(Kind.TABLE), TableCommands::list),
        Command.reading(
            "describe",
            "TABLE",
            "Shows families and how they are configured.",
            table,
            TableCommands::describe),
        Command.reading(
            "exists", "TABLE", "Says whether there is a table.", table, TableCommands::exists),
        Command.reading(
            "regions",
            "TABLE",
            "Lists the rows at which regions begin.",
            table,
            TableCommands::regions),
        Command.writing(
                "create",
                "TABLE, FAMILY [, FAMILY ...] [, SPLITS => [ROW, ...]]",
                "Creates a table.",
                List.of(Kind.OTHER, Kind.OTHER),
                TableCommands::create)
            .with(
                "A family is a name, or {NAME => name, ATTRIBUTE => value, ...}.",
                FamilyOptions.HELP,
                "Example: create users, {NAME => f, VERSIONS => 3}, {NAME => g, TTL => 86400}"),
        Command.writing(
                "alter",
                "TABLE, {NAME => FAMILY, ATTRIBUTE => value, ...} ...",
                "Adds, changes or drops families.",
                table,
                TableCommands::alter)
            .with(
                FamilyOptions.HELP,
                "{NAME => family, METHOD => delete} drops a family with all its cells."),
        Command.writing(
            "drop", "TABLE", "Drops a table with all its cells.", table, TableCommands::drop),
        Command.writing(
            "truncate",
            "TABLE",
            "Drops all cells of a table; families and regions stay.",
            table,
            TableCommands::truncate));
  }

  private static void list(Session session, Arguments arguments) throws IOException {
    String prefix = arguments.has(0) ? arguments.name(0, "a prefix") : "";
    arguments.check(1);
    List<Fields> tables = new ArrayList<>();
    for (TableDescriptor table : session.database().tables()) {
      if (table.name().startsWith(prefix)) {
        tables.add(
            new Fields()
                .with("table", table.name())
                .with("families", table.familyNames())
                .with("regions", session.database().regionStarts(table.name()).size()));
      }
    }
    session.out().items(tables);
    session.out().note(tables.size() + (tables.size() == 1 ? " table" : " tables"));
  }

  private static void describe(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a table");
    arguments.check(1);
    for (FamilyDescriptor family : session.database().describe(name).families()) {
      session
          .out()
          .fields(
              new Fields()
                  .with("family", family.name())
                  .with("attributes", FamilyOptions.shown(family)));
    }
  }

  private static void exists(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a table");
    arguments.check(1);
    session.out().fields(new Fields().with("exists", session.database().exists(name)));
  }

  private static void regions(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a table");
    RowFormat format = RowFormat.of(session, arguments);
    arguments.check(1);
    List<byte[]> starts = session.database().regionStarts(name);
    List<Fields> rows = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      byte[] end = i + 1 < starts.size() ? starts.get(i + 1) : new byte[0];
      rows.add(
          new Fields()
              .with("start", BytesText.format(starts.get(i), format.keys()))
              .with("end", BytesText.format(end, format.keys())));
    }
    session.out().items(rows);
  }

  private static void create(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a table");
    byte[][] splits =
        arguments.listOption("SPLITS").stream()
            .map(value -> arguments.bytes(value, "a split"))
            .toArray(byte[][]::new);
    TableDescriptor.Builder table = TableDescriptor.builder(name);
    Set<String> families = new LinkedHashSet<>();
    for (Value value : arguments.from(1)) {
      String family = arguments.word(value, "a family");
      addOnce(families, family);
      table.family(FamilyDescriptor.of(family));
    }
    for (Map<String, Value> block : arguments.named()) {
      addOnce(families, FamilyOptions.name(block, arguments));
      table.family(FamilyOptions.of(block, Map.of(), arguments));
    }
    arguments.check(Integer.MAX_VALUE);
    if (arguments.size() < 2 && arguments.named().isEmpty()) {
      throw arguments.wrong("create needs at least one family");
    }
    session.database().createTable(table.build(), splits);
    session.out().fields(new Fields().with("created", name));
  }

  /** Of two descriptions of a family, one would be lost. */
  private static void addOnce(Set<String> families, String family) {
    if (!families.add(family)) {
      throw new IllegalArgumentException(
          "family " + family + " is given twice; put all its attributes into one pair of braces");
    }
  }

  private static void alter(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a table");
    List<Map<String, Value>> blocks = arguments.named();
    arguments.check(1);
    if (blocks.isEmpty()) {
      throw arguments.wrong("alter needs the name of a family in braces");
    }
    TableDescriptor old = session.database().describe(name);
    Set<String> changed = new LinkedHashSet<>();
    TableDescriptor.Builder table = TableDescriptor.builder(name);
    for (Map<String, Value> block : blocks) {
      String family = FamilyOptions.name(block, arguments);
      addOnce(changed, family);
      FamilyDescriptor known = old.family(family);
      if (FamilyOptions.isDeletion(block, arguments)) {
        if (known == null) {
          throw new IllegalArgumentException(
              "table " + name + " has no family " + family + "; it has " + old.familyNames());
        }
      } else {
        Map<String, String> before = known == null ? Map.of() : known.attributes();
        table.family(FamilyOptions.of(block, before, arguments));
      }
    }
    for (FamilyDescriptor family : old.families()) {
      if (!changed.contains(family.name())) {
        table.family(family);
      }
    }
    session.database().alterTable(table.build());
    session.out().fields(new Fields().with("altered", name));
  }

  private static void drop(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a table");
    arguments.check(1);
    session.database().dropTable(name);
    session.out().fields(new Fields().with("dropped", name));
  }

  private static void truncate(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a table");
    arguments.check(1);
    session.database().truncateTable(name);
    session.out().fields(new Fields().with("truncated", name));
  }
}
