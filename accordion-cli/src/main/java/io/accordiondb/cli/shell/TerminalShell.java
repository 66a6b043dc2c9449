// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.Database;
import io.accordiondb.cli.text.PlainText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jspecify.annotations.Nullable;

/**
 * The shell on a terminal: history, completion, statements of several lines, page after page.
 * Ctrl-C stops the running statement or discards the one that is being typed; Ctrl-D ends the
 * shell. Belongs to one thread.
 */
public final class TerminalShell {
  private static final String PROMPT = "accordion> ";
  private static final String NEXT_PROMPT = "         > ";
  private static final String RED = "\u001b[31m";
  private static final String RESET = "\u001b[0m";
  private static final double NANOS_PER_SECOND = 1e9;

  private final Database database;
  private final Terminal terminal;
  private final boolean colors;
  private final Function<Throwable, String> explain;
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private final Session session;

  /**
   * Creates a shell; the caller closes database and terminal.
   *
   * @param json whether statements print JSON
   * @param explain says in a sentence why a statement failed
   */
  public TerminalShell(
      Database database,
      ShellMode mode,
      boolean json,
      Terminal terminal,
      Function<Throwable, String> explain) {
    this.database = database;
    this.terminal = terminal;
    this.colors = showsColors(terminal);
    this.explain = explain;
    this.session =
        new Session(
            database,
            mode,
            new ShellOutput(
                terminal.writer(), json, colors, new TerminalPager(terminal), interrupted::get));
  }

  private static boolean showsColors(Terminal terminal) {
    return !terminal.getType().startsWith(Terminal.TYPE_DUMB) && System.getenv("NO_COLOR") == null;
  }

  /**
   * Reads and runs statements until the user ends the shell.
   *
   * @param history keeps what was typed; null to keep nothing
   */
  public void run(@Nullable Path history) {
    terminal.handle(Signal.INT, signal -> interrupt());
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .parser(new ShellLineParser())
            .completer(new ShellCompleter(session))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, NEXT_PROMPT);
    if (history != null) {
      builder.variable(LineReader.HISTORY_FILE, history);
    }
    LineReader reader = builder.build();
    try (session) {
      while (!session.hasEnded() && runLine(reader)) {
        terminal.writer().flush();
      }
    }
  }

  private void interrupt() {
    interrupted.set(true);
    try {
      database.cancelCompactions();
    } catch (IOException | RuntimeException e) {
      // What runs sees the flag.
      interrupted.set(true);
    }
  }

  /** Reads a line and runs its statements; returns false at the end of the input. */
  private boolean runLine(LineReader reader) {
    String line;
    try {
      line = reader.readLine(session.batch() == null ? PROMPT : "batch> ");
    } catch (UserInterruptException e) {
      return true;
    } catch (EndOfFileException e) {
      return false;
    }
    interrupted.set(false);
    try {
      List<Statement> statements = StatementParser.parse(line);
      for (Statement statement : statements) {
        long begun = System.nanoTime();
        session.run(statement);
        double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
        if (session.hasEnded()) {
          return false;
        }
        session.out().note(String.format(Locale.ROOT, "(%.3f s)", seconds));
      }
    } catch (CommandStoppedException e) {
      terminal.writer().println("stopped");
    } catch (IOException | RuntimeException e) {
      error(explain.apply(e));
    }
    return true;
  }

  private void error(String sentence) {
    PrintWriter out = terminal.writer();
    String plain = PlainText.of(sentence);
    out.println(colors ? RED + plain + RESET : plain);
  }
}
