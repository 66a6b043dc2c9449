// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.Progress;
import io.accordiondb.bench.engine.EngineUnavailableException;
import io.accordiondb.cli.text.ShellWords;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs this program again with other arguments, so that measurements share no heap. The process
 * ends with this one.
 */
final class ChildProcess {
  /** A line in which a command says why it failed. */
  private static final Pattern FAILURE = Pattern.compile(Main.NAME + "(?: [a-z-]+)*: (.*)");

  /** How long a process may take to remove its temporary files when this one ends. */
  private static final long ENDING_SECONDS = 10;

  private ChildProcess() {}

  /**
   * Returns what the process printed.
   *
   * @throws EngineUnavailableException if an engine cannot be used here
   * @throws IOException if it ended with another exit code than 0; the message says why
   */
  static String run(List<String> arguments) throws IOException {
    return run(List.of(), arguments, line -> {});
  }

  /**
   * Returns what the process printed to its output.
   *
   * @param javaOptions further options of the Java machine, stronger than those of this process
   * @param messages gets each line of its error output, on another thread
   * @throws EngineUnavailableException if an engine cannot be used here
   * @throws IOException if it ended with another exit code than 0; the message says why
   */
  static String run(List<String> javaOptions, List<String> arguments, Consumer<String> messages)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(javaOptions);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).start();
    Thread killer = endWithThisOne(process);
    try {
      CompletableFuture<String> reading =
          CompletableFuture.supplyAsync(() -> readMessages(process, messages));
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exitCode = process.waitFor();
      String reason = reading.join();
      if (exitCode == Main.EXIT_UNAVAILABLE) {
        throw new EngineUnavailableException(reason);
      }
      if (exitCode != 0) {
        throw new IOException(
            reason
                + " (exit code "
                + exitCode
                + "; run it alone: "
                + javaOptions(javaOptions)
                + "./accordion "
                + ShellWords.join(arguments)
                + ")");
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      removeHook(killer);
      process.destroyForcibly();
    }
  }

  private static Thread endWithThisOne(Process process) {
    Thread killer = new Thread(() -> end(process), "child killer");
    try {
      Runtime.getRuntime().addShutdownHook(killer);
    } catch (IllegalStateException ending) {
      process.destroy();
      awaitEnd();
    }
    return killer;
  }

  /** Ends a process, which may remove its temporary files first. */
  private static void end(Process process) {
    process.destroy();
    try {
      boolean unused = process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }

  /** Returns options as the launcher takes them. */
  private static String javaOptions(List<String> options) {
    return options.isEmpty() ? "" : "ACCORDION_JAVA_OPTS=\"" + String.join(" ", options) + "\" ";
  }

  /** Returns what the process gave as the reason of its failure, or else the last it said. */
  private static String readMessages(Process process, Consumer<String> messages) {
    String last = "the process said nothing";
    @Nullable String reason = null;
    for (String line :
        (Iterable<String>) process.errorReader(StandardCharsets.UTF_8).lines()::iterator) {
      messages.accept(line);
      String text = Progress.plain(line);
      Matcher failure = FAILURE.matcher(text);
      if (reason == null && failure.matches()) {
        reason = failure.group(1);
      }
      last = text.isBlank() ? last : text;
    }
    return reason == null ? last : reason;
  }

  private static void removeHook(Thread killer) {
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException ending) {
      awaitEnd();
    }
  }

  /**
   * Waits for the end of this process, whose shutdown hooks run: a process that one of them has
   * ended has no result, and no further one may begin.
   */
  private static void awaitEnd() {
    while (true) {
      LockSupport.park();
      boolean unused = Thread.interrupted();
    }
  }
}
