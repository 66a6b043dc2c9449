// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.Database;
import io.accordiondb.cli.text.ByteOrderMark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs statements of scripts on an open database, which the caller closes. */
public final class Shell {
  private Shell() {}

  /**
   * Runs all statements of a script, up to the first that fails.
   *
   * @param out takes what they print; it is flushed
   * @param name of the script, for messages
   * @throws StatementException if a statement is none or fails
   * @throws IOException if the script cannot be read
   */
  public static void runScript(
      Database database, ShellMode mode, boolean json, PrintWriter out, String name, Reader script)
      throws IOException, StatementException {
    ShellOutput output = new ShellOutput(out, json, false, null, () -> false);
    try (Session session = new Session(database, mode, output)) {
      runAll(session, name, new BufferedReader(script));
    }
  }

  private static void runAll(Session session, String name, BufferedReader script)
      throws IOException, StatementException {
    StringBuilder pending = new StringBuilder();
    IncompleteStatementException unfinished = null;
    int read = 0;
    int before = 0;
    // No line is read ahead: their writer may wait for the output of one.
    while (!session.hasEnded()) {
      String line = readLine(script, name, read);
      if (line == null) {
        break;
      }
      read++;
      pending.append(read == 1 ? ByteOrderMark.cut(line) : line).append('\n');
      try {
        List<Statement> statements = StatementParser.parse(pending.toString());
        run(session, name, before, statements);
        unfinished = null;
        pending.setLength(0);
        before = read;
      } catch (IncompleteStatementException e) {
        unfinished = e;
      } catch (IllegalArgumentException e) {
        throw new StatementException(name + ", line " + read, e);
      }
    }
    if (unfinished != null) {
      throw new StatementException(name + ", line " + (before + 1), unfinished);
    }
    if (session.batch() != null) {
      throw new StatementException(
          name,
          new IllegalArgumentException("the script ends within a batch; nothing of it is written"));
    }
  }

  private static void run(Session session, String name, int before, List<Statement> statements)
      throws StatementException {
    for (Statement statement : statements) {
      if (session.hasEnded()) {
        return;
      }
      try {
        session.run(statement);
      } catch (IOException | RuntimeException e) {
        throw new StatementException(name + ", line " + (before + statement.line()), e);
      }
    }
  }

  private static @Nullable String readLine(BufferedReader script, String name, int before)
      throws IOException, StatementException {
    try {
      return script.readLine();
    } catch (CharacterCodingException e) {
      throw new StatementException(
          name + ", behind line " + before,
          new IllegalArgumentException(
              "there are bytes that are not UTF-8; write them as \\xHH", e));
    }
  }
}
