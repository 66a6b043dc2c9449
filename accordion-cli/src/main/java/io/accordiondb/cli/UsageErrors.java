// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints the usage of a command and, in the last line, what was wrong with the call. */
final class UsageErrors implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.print(command.getHelp().synopsisHeading() + command.getHelp().synopsis("Usage: ".length()));
    err.println("\"" + name + " --help\" tells more.");
    UnmatchedArgumentException.printSuggestions(failure, err);
    err.println(name + ": " + message(failure));
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String message(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()
        && !failure.getCommandLine().getSubcommands().isEmpty()) {
      return "there is no command \"" + unmatched.getUnmatched().get(0) + "\"";
    }
    return plain(String.valueOf(failure.getMessage()));
  }

  /** Returns a message without the names of types. */
  private static String plain(String message) {
    return message
        .replaceAll("^Error: ", "")
        .replaceAll("' is not an? (?:int|long|short|Integer|Long)\\b", "' is not a whole number")
        .replaceAll("' is not an? (?:double|float|Double)\\b", "' is not a number")
        .replaceAll(
            "cannot convert ('.*') to class java\\.time\\.Instant \\(.*\\)",
            "$1 is not a time; expected one like 2026-01-31T12:00:00Z")
        .replaceAll(
            "cannot convert ('.*') to interface java\\.nio\\.file\\.Path \\((.*)\\)",
            "$1 is not a path ($2)")
        .replaceAll(" \\((?:java|io)\\.[\\w.$]+: ", " (");
  }
}
