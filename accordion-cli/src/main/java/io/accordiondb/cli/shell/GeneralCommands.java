// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.cli.shell.Command.Kind;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Encoding;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Commands of the shell itself. */
final class GeneralCommands {
  /** Columns of help, behind its indentation. */
  private static final int WIDTH = 94;

  private static final long DEFAULT_SECONDS = 2;
  private static final long SECONDS_MAX = 86_400;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private GeneralCommands() {}

  static List<Command> all() {
    return List.of(
        Command.reading(
            "help",
            "[COMMAND]",
            "Lists commands, or tells of one.",
            List.of(Kind.COMMAND),
            GeneralCommands::help),
        Command.reading("exit", "", "Ends the shell.", List.of(), GeneralCommands::exit),
        Command.reading("quit", "", "Ends the shell.", List.of(), GeneralCommands::exit),
        Command.reading(
                "format",
                "[KEYS => ENCODING] [VALUES => ENCODING]",
                "Says how keys and values are printed from now on.",
                List.of(),
                GeneralCommands::format)
            .with(
                "Encodings: text (where other bytes are \\xHH), hex, base64, long, int.",
                "What is printed can be read back as it is. get, scan, append and regions take the",
                "same options for one statement."),
        Command.reading(
                "watch",
                "COMMAND [ARGUMENT ...] [EVERY => SECONDS] [TIMES => N]",
                "Runs a command again and again, on the newest state, until Ctrl-C.",
                List.of(Kind.COMMAND),
                GeneralCommands::watch)
            .with("Example: watch count, users, EVERY => 5"),
        Command.reading(
            "refresh",
            "",
            "Reads the newest state of a database that another process writes to.",
            List.of(),
            GeneralCommands::refresh));
  }

  private static void exit(Session session, Arguments arguments) {
    arguments.check(0);
    session.end();
  }

  private static void help(Session session, Arguments arguments) throws IOException {
    arguments.check(1);
    if (arguments.has(0)) {
      String name = arguments.name(0, "a command");
      Command command = Commands.find(name);
      if (command == null) {
        throw new IllegalArgumentException(
            "there is no command " + name + "; help lists all commands");
      }
      printHelp(session, command);
      return;
    }
    List<Fields> rows = new ArrayList<>();
    for (Command command : Commands.all()) {
      rows.add(new Fields().with("command", command.synopsis()).with("summary", command.summary()));
    }
    if (session.out().json()) {
      session.out().items(rows);
      return;
    }
    for (Command command : Commands.all()) {
      session.out().line(session.out().name(command.synopsis()));
      session.out().line("    " + command.summary());
    }
    session.out().line("");
    for (String line : GRAMMAR) {
      session.out().line(line);
    }
  }

  private static final List<String> GRAMMAR =
      List.of(
          "A statement ends with its line or a semicolon. Commas between arguments may be left out,",
          "quotes too where a word has no blank, comma, semicolon, bracket or quote in it. Options",
          "are written NAME => value, in braces or at the end. A line goes on in the next one behind",
          "a comma, within quotes, brackets and braces, and behind a backslash. # begins a comment.",
          "Keys and values are " + BytesText.FORMS + ".",
          "A column is FAMILY:QUALIFIER; the qualifier may be in any of these forms.");

  private static void printHelp(Session session, Command command) throws IOException {
    if (session.out().json()) {
      session
          .out()
          .fields(
              new Fields()
                  .with("command", command.synopsis())
                  .with("summary", command.summary())
                  .with("details", command.details())
                  .with("writes", command.writes()));
      return;
    }
    session.out().line(session.out().name(command.synopsis()));
    session.out().line("    " + command.summary());
    for (String line : TextTable.wrapped(String.join(" ", command.details()), WIDTH)) {
      session.out().line("    " + line);
    }
  }

  private static void format(Session session, Arguments arguments) throws IOException {
    RowFormat changed = RowFormat.of(session, arguments);
    arguments.check(0);
    session.encode(changed.keys(), changed.values());
    session
        .out()
        .fields(
            new Fields().with("keys", word(changed.keys())).with("values", word(changed.values())));
  }

  private static String word(Encoding encoding) {
    return encoding.name().toLowerCase(Locale.ROOT);
  }

  private static void refresh(Session session, Arguments arguments) throws IOException {
    arguments.check(0);
    boolean isNew = session.mode().isReadOnly() && session.database().refresh();
    session.out().fields(new Fields().with("changed", isNew));
  }

  private static void watch(Session session, Arguments arguments) throws IOException {
    String name = arguments.name(0, "a command");
    long seconds = arguments.numberOption("EVERY", DEFAULT_SECONDS);
    long times = arguments.numberOption("TIMES", Long.MAX_VALUE);
    if (seconds < 1 || seconds > SECONDS_MAX || times < 1) {
      throw arguments.wrong("EVERY is 1 to " + SECONDS_MAX + " seconds, TIMES at least 1");
    }
    if (name.equals("watch")) {
      throw arguments.wrong("watch cannot watch itself");
    }
    List<Value> rest = new ArrayList<>(arguments.from(1));
    rest.add(new Value.Options(arguments.otherOptions()));
    arguments.named().forEach(block -> rest.add(new Value.Options(block)));
    Statement statement = new Statement(name, rest, 1);
    for (long i = 0; i < times && !session.hasEnded(); i++) {
      if (i > 0) {
        pause(session, seconds);
      }
      if (session.mode().isReadOnly()) {
        session.database().refresh();
      }
      session.run(statement);
    }
  }

  private static void pause(Session session, long seconds) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() - end < 0) {
      session.out().checkInterrupted();
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
