// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.engine.EngineUnavailableException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code accordion} command. */
@Command(
    name = "accordion",
    mixinStandardHelpOptions = true,
    version = "accordion 0.1.0",
    description = "An LSM key-value store whose memory store is an LSM store itself.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "accordion hbase starts a local Apache HBase with Accordion's memory store.",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong use, 3 damaged or lost,",
      "69 not available: no Java 17 or newer, or an engine that cannot be used here.",
      "ACCORDION_HEAP sets the Java heap (default 2g), ACCORDION_JAVA_OPTS further options;",
      "ACCORDION_DEBUG=1 prints stack traces.",
      "Completion for your shell: source <(accordion completion)"
    },
    subcommands = {
      DemoCommand.class,
      BenchCommand.class,
      YcsbCommand.class,
      PaperCommand.class,
      PaperRunCommand.class,
      StoreCommands.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  /** Something that the command needs is not there, as EX_UNAVAILABLE of sysexits.h. */
  static final int EXIT_UNAVAILABLE = 69;

  /** What stands before the reason of a failure. */
  static final String FAILED = "accordion: ";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(
        run(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            arguments));
  }

  /** Runs the command line and returns its exit code. */
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine command = new CommandLine(new Main());
    command.addSubcommand("completion", new GenerateCompletion());
    command.setOut(out);
    command.setErr(err);
    command.setExecutionExceptionHandler(failureHandler());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    int exitCode = command.execute(arguments);
    out.flush();
    err.flush();
    return exitCode;
  }

  private static IExecutionExceptionHandler failureHandler() {
    return (failure, command, parsed) -> {
      String message = failure.getMessage();
      command.getErr().println(FAILED + (message == null ? failure.toString() : message));
      if ("1".equals(System.getenv("ACCORDION_DEBUG"))) {
        failure.printStackTrace(command.getErr());
      }
      if (failure instanceof EngineUnavailableException) {
        return EXIT_UNAVAILABLE;
      }
      return failure instanceof IllegalArgumentException
          ? command.getCommandSpec().exitCodeOnInvalidInput()
          : command.getCommandSpec().exitCodeOnExecutionException();
    };
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command, for example: demo");
  }
}
