// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Snapshot;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.shell.Command.Kind;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Json;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Commands about files, memory, regions and snapshots. */
final class UpkeepCommands {
  private static final List<Kind> TABLE = List.of(Kind.TABLE);

  private UpkeepCommands() {}

  static List<Command> all() {
    return List.of(
        Command.reading(
                "snapshot",
                "NAME",
                "Keeps this moment of the whole database under a name.",
                List.of(),
                UpkeepCommands::snapshot)
            .with(
                "get, scan and count read it with SNAPSHOT => NAME. It ends with release NAME or",
                "with the shell."),
        Command.reading(
            "snapshots",
            "",
            "Lists the snapshots of this shell.",
            List.of(),
            UpkeepCommands::snapshots),
        Command.reading("release", "NAME", "Ends a snapshot.", List.of(), UpkeepCommands::release),
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
            "Merges all sorted tables, and drops what nobody can read any more.",
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
            UpkeepCommands::merge),
        Command.reading(
            "status",
            "",
            "Shows how the database is open and what it has.",
            List.of(),
            UpkeepCommands::status),
        Command.reading(
            "stats",
            "",
            "Shows what the database has done since it was opened here.",
            List.of(),
            UpkeepCommands::stats),
        Command.reading(
                "policy",
                "[POLICY [, TABLE, FAMILY]]",
                "Shows the policies of memory stores, or changes one.",
                List.of(Kind.OTHER, Kind.TABLE, Kind.FAMILY),
                UpkeepCommands::policy)
            .with(
                "Policies: " + List.of(Policy.values()) + ".",
                "Without a table it is that of the database until it is closed; with a table and a",
                "family it stays."));
  }

  private static void snapshot(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a name");
    arguments.check(1);
    if (session.snapshots().containsKey(name)) {
      throw new IllegalArgumentException(
          "there is a snapshot " + name + " already; release it, or give another name");
    }
    Snapshot snapshot = session.database().snapshot();
    session.snapshots().put(name, snapshot);
    session
        .out()
        .fields(new Fields().with("snapshot", name).with("sequence", snapshot.sequenceNumber()));
  }

  private static void snapshots(Session session, Arguments arguments) throws IOException {
    arguments.check(0);
    List<Fields> rows = new ArrayList<>();
    session
        .snapshots()
        .forEach(
            (name, snapshot) ->
                rows.add(
                    new Fields()
                        .with("snapshot", name)
                        .with("sequence", snapshot.sequenceNumber())));
    session.out().items(rows);
  }

  private static void release(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a name");
    arguments.check(1);
    Snapshot snapshot = session.snapshots().remove(name);
    if (snapshot == null) {
      throw new IllegalArgumentException(
          "there is no snapshot " + name + "; snapshots lists those of this shell");
    }
    snapshot.close();
    session.out().fields(new Fields().with("released", name));
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

  private static void status(Session session, Arguments arguments) throws IOException {
    arguments.check(0);
    int regions = 0;
    List<TableDescriptor> tables = session.database().tables();
    for (TableDescriptor table : tables) {
      regions += session.database().regionStarts(table.name()).size();
    }
    session
        .out()
        .fields(
            new Fields()
                .with("folder", session.database().folder().map(Object::toString).orElse("memory"))
                .with("access", session.mode().words())
                .with("tables", tables.size())
                .with("regions", regions)
                .with("snapshots", session.snapshots().size())
                .with("policy", session.database().options().memStorePolicy().kind()));
  }

  private static void stats(Session session, Arguments arguments) throws IOException {
    arguments.check(0);
    if (session.mode().isReadOnly()) {
      session
          .out()
          .note("These are numbers of this shell, which only reads; not of who writes there.");
    }
    if (session.out().json()) {
      session.out().line(Json.write(session.database().statistics()));
      return;
    }
    for (String line : session.database().statistics().toString().split("\n")) {
      session.out().line(line);
    }
  }

  private static void policy(Session session, Arguments arguments) throws IOException {
    if (arguments.has(0)) {
      if (session.mode().isReadOnly()) {
        throw new IOException(
            "policy cannot be changed: the database is open for reading only; "
                + session.mode().remedy());
      }
      change(session, arguments);
    }
    arguments.check(3);
    List<Fields> rows = new ArrayList<>();
    MemStorePolicy own = session.database().options().memStorePolicy();
    rows.add(row("", "", own, "the database's"));
    for (TableDescriptor table : session.database().tables()) {
      for (FamilyDescriptor family : table.families()) {
        MemStorePolicy policy = family.memStorePolicy();
        rows.add(
            row(
                table.name(),
                family.name(),
                policy == null ? own : policy,
                policy == null ? "the database's" : "its own"));
      }
    }
    session.out().items(rows);
  }

  private static Fields row(String table, String family, MemStorePolicy policy, String origin) {
    return new Fields()
        .with("table", table)
        .with("family", family)
        .with("policy", policy.kind().name())
        .with("activeFraction", policy.activeFraction())
        .with("pipelineSegments", policy.pipelineSegmentsMax())
        .with("threshold", policy.redundancyThreshold())
        .with("schedule", policy.mergeSchedule().name().toLowerCase(Locale.ROOT))
        .with("origin", origin);
  }

  private static void change(Session session, Arguments arguments) throws IOException {
    Policy kind = arguments.choice(Policy.class, arguments.name(0, "a policy"), "the policy");
    if (!arguments.has(1)) {
      session.database().reconfigure(options -> options.memStorePolicy(MemStorePolicy.of(kind)));
      return;
    }
    String name = arguments.name(1, "a table");
    String familyName = arguments.name(2, "a family");
    TableDescriptor table = session.database().describe(name);
    if (!table.familyNames().contains(familyName)) {
      throw new IllegalArgumentException(
          "table " + name + " has no family " + familyName + "; it has " + table.familyNames());
    }
    TableDescriptor.Builder changed = TableDescriptor.builder(name);
    for (FamilyDescriptor family : table.families()) {
      changed.family(
          family.name().equals(familyName)
              ? family.toBuilder().memStorePolicy(MemStorePolicy.of(kind)).build()
              : family);
    }
    session.database().alterTable(changed.build());
  }
}
