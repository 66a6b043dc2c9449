// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.shell.Command.Kind;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Json;
import io.accordiondb.cli.text.PlainText;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Commands that show how the database is open, what it does, and by which policies. */
final class StatusCommands {
  private StatusCommands() {}

  static List<Command> all() {
    return List.of(
        Command.reading(
            "status",
            "",
            "Shows how the database is open and what it has.",
            List.of(),
            StatusCommands::status),
        Command.reading(
            "stats",
            "",
            "Shows what the database has done since it was opened here.",
            List.of(),
            StatusCommands::stats),
        Command.reading(
                "policy",
                "[POLICY [, TABLE, FAMILY]]",
                "Shows the policies of memory stores, or changes one.",
                List.of(Kind.OTHER, Kind.TABLE, Kind.FAMILY),
                StatusCommands::policy)
            .with(
                "Policies: " + List.of(Policy.values()) + ".",
                "Without a table it is that of the database until it is closed; with a table and a",
                "family it stays."));
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
          .note("These are numbers of this shell, which only reads, not of the writing process.");
    }
    if (session.out().json()) {
      session.out().line(Json.write(session.database().statistics()));
      return;
    }
    for (String line : session.database().statistics().toString().split("\n")) {
      session.out().line(PlainText.of(line));
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
