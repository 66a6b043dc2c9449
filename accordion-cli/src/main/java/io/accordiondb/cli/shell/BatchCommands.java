// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.WriteBatch;
import io.accordiondb.cli.text.Fields;
import java.io.IOException;
import java.util.List;

/** Commands that write several rows in one step. */
final class BatchCommands {
  private BatchCommands() {}

  static List<Command> all() {
    return List.of(
        Command.writing(
                "batch",
                "",
                "Collects puts and deletes until commit, which writes them in one step.",
                List.of(),
                BatchCommands::begin)
            .with("They may be of any tables. discard forgets them."),
        Command.writing(
            "commit",
            "",
            "Writes what was collected since batch.",
            List.of(),
            BatchCommands::commit),
        Command.writing(
            "discard",
            "",
            "Forgets what was collected since batch.",
            List.of(),
            BatchCommands::discard));
  }

  /** Throws if a batch is being filled, of which a command cannot be a part. */
  static void refuseWithin(Session session, String command) {
    if (session.batch() != null) {
      throw new IllegalArgumentException(
          command + " cannot be part of a batch; commit or discard that first");
    }
  }

  private static void begin(Session session, Arguments arguments) {
    arguments.check(0);
    refuseWithin(session, "batch");
    session.batch(new WriteBatch());
  }

  private static void commit(Session session, Arguments arguments) throws IOException {
    arguments.check(0);
    WriteBatch batch = require(session, "commit");
    session.database().write(batch);
    session.batch(null);
    session.out().fields(new Fields().with("changesWritten", batch.size()));
  }

  private static void discard(Session session, Arguments arguments) throws IOException {
    arguments.check(0);
    WriteBatch batch = require(session, "discard");
    session.batch(null);
    session.out().fields(new Fields().with("changesForgotten", batch.size()));
  }

  private static WriteBatch require(Session session, String command) {
    WriteBatch batch = session.batch();
    if (batch == null) {
      throw new IllegalArgumentException(command + " needs a batch; begin one with batch");
    }
    return batch;
  }
}
