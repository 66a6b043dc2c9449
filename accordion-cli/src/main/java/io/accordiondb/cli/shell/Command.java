// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.io.IOException;
import java.util.List;

/**
 * A command of the shell. Immutable.
 *
 * @param name by which it is called
 * @param usage its arguments, for help and messages
 * @param summary what it does, in one line
 * @param details more lines for its help
 * @param kinds what its first arguments are, for completion
 * @param writes whether it needs a database that is open for writing
 * @param action what it does
 */
record Command(
    String name,
    String usage,
    String summary,
    List<String> details,
    List<Kind> kinds,
    boolean writes,
    Action action) {
  /** The kinds of arguments. */
  enum Kind {
    TABLE,
    ROW,
    COLUMN,
    FAMILY,
    COMMAND,
    OTHER
  }

  /** Runs a statement. */
  interface Action {
    /** Runs it. */
    void run(Session session, Arguments arguments) throws IOException;
  }

  /** Returns a command that only reads. */
  static Command reading(
      String name, String usage, String summary, List<Kind> kinds, Action action) {
    return new Command(name, usage, summary, List.of(), kinds, false, action);
  }

  /** Returns a command that needs a database that is open for writing. */
  static Command writing(
      String name, String usage, String summary, List<Kind> kinds, Action action) {
    return new Command(name, usage, summary, List.of(), kinds, true, action);
  }

  /** Returns the same command with more help. */
  Command with(String... moreDetails) {
    return new Command(name, usage, summary, List.of(moreDetails), kinds, writes, action);
  }

  /** Returns the name and the arguments. */
  String synopsis() {
    return usage.isEmpty() ? name : name + " " + usage;
  }
}
