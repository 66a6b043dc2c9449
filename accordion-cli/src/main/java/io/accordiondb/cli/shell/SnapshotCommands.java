// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.Snapshot;
import io.accordiondb.cli.text.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Commands that take and release snapshots, as of which later statements can read. */
final class SnapshotCommands {
  private SnapshotCommands() {}

  static List<Command> all() {
    return List.of(
        Command.reading(
                "snapshot",
                "NAME",
                "Keeps this moment of the whole database under a name.",
                List.of(),
                SnapshotCommands::snapshot)
            .with(
                "get, scan and count read it with SNAPSHOT => NAME. It ends with release NAME or",
                "with the shell."),
        Command.reading(
            "snapshots",
            "",
            "Lists the snapshots of this shell.",
            List.of(),
            SnapshotCommands::snapshots),
        Command.reading(
            "release", "NAME", "Ends a snapshot.", List.of(), SnapshotCommands::release));
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
}
