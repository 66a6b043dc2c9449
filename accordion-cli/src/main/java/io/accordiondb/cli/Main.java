// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.cli.shell.StatementException;
import io.accordiondb.cli.text.OutputClosedException;
import io.accordiondb.cli.text.PlainText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The {@code accordion} command. */
@Command(
    name = Main.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "An LSM key-value store whose memory store is an LSM store itself.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 damaged or lost, 130 stopped by Ctrl-C,",
      "69 not available: no Java 17 or newer, or an engine that cannot be used here.",
      "",
      "ACCORDION_HEAP=4g          Java heap (default 2g)",
      "ACCORDION_JAVA_OPTS=...    further options of the JVM",
      "ACCORDION_DEBUG=1          prints stack traces",
      "ACCORDION_ARCHIVE=0        starts without the archive of loaded classes",
      "",
      "Completion for your shell: source <(accordion completion)"
    },
    subcommands = {
      DemoCommand.class,
      BenchCommand.class,
      YcsbCommand.class,
      PaperCommand.class,
      PaperRunCommand.class,
      StoreCommands.class,
      ShellCommand.class,
      InspectCommand.class,
      TopCommand.class,
      CompletionCommand.class,
      HelpFor.class
    })
public final class Main implements Runnable {
  /** Something that the command needs is not there, as EX_UNAVAILABLE of sysexits.h. */
  static final int EXIT_UNAVAILABLE = 69;

  /** The name of the command, with which messages begin. */
  static final String NAME = "accordion";

  /** System property that says whether standard output is a pipe, which Java cannot tell. */
  static final String PIPE_PROPERTY = "accordion.pipe.output";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(new FileOutputStream(FileDescriptor.out), err, arguments));
  }

  /** Runs the command line; it has failed if its output could not be written. */
  static int run(OutputStream out, PrintWriter err, String... arguments) {
    StandardOutput output = new StandardOutput(out);
    int exitCode = run(new PrintWriter(output, true, StandardCharsets.UTF_8), err, arguments);
    IOException failure = output.failure();
    if (failure == null || isReaderGone(failure)) {
      return exitCode;
    }
    err.println(NAME + ": standard output is not complete: " + Failure.of(failure).sentence());
    return exitCode == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : exitCode;
  }

  /**
   * Returns whether nobody reads the output any more: the reader of a pipe may stop at any time.
   */
  private static boolean isReaderGone(IOException failure) {
    String isPipe = System.getProperty(PIPE_PROPERTY);
    // Only the message tells if the script accordion has not started this process.
    return isPipe == null ? "Broken pipe".equals(failure.getMessage()) : isPipe.equals("true");
  }

  /** Runs the command line and returns its exit code. */
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine command = commandLine();
    command.setOut(out);
    command.setErr(err);
    int exitCode;
    try {
      exitCode = command.execute(arguments);
    } catch (OutOfMemoryError e) {
      exitCode = report(e, NAME, err);
    }
    out.flush();
    err.flush();
    return exitCode;
  }

  /** Returns all commands with their options. */
  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new Main());
    SourcesCommand.add(command);
    command.setExecutionExceptionHandler(failureHandler());
    command.setParameterExceptionHandler(new UsageErrors());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    // A row or a path may begin with @; it is no file with arguments.
    command.setExpandAtFiles(false);
    command.registerConverter(Path.class, Main::path);
    HelpText.complete(command);
    return command;
  }

  /** An empty path is more likely a variable that is not set than the folder of the process. */
  private static Path path(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("the path is empty; for this folder, give .");
    }
    return Path.of(text);
  }

  private static IExecutionExceptionHandler failureHandler() {
    return (failure, command, parsed) ->
        report(failure, command.getCommandSpec().qualifiedName(), command.getErr());
  }

  /** Prints why a command failed, and returns its exit code. */
  private static int report(Throwable thrown, String command, PrintWriter err) {
    if (isOutputClosed(thrown)) {
      // The reader has stopped, as head does; no one would see a message.
      return CommandLine.ExitCode.OK;
    }
    Failure failure = Failure.of(thrown);
    err.println(command + ": " + PlainText.of(failure.sentence()));
    if ("1".equals(System.getenv("ACCORDION_DEBUG"))) {
      thrown.printStackTrace(err);
    }
    return failure.exitCode();
  }

  private static boolean isOutputClosed(Throwable thrown) {
    return thrown instanceof OutputClosedException
        || (thrown instanceof StatementException statement
            && statement.reason() instanceof OutputClosedException);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command, for example: demo");
  }
}
