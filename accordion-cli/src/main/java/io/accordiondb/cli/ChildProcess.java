// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.engine.EngineUnavailableException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs this program again with other arguments, so that measurements share no heap. The process
 * ends with this one.
 */
final class ChildProcess {
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
    Thread killer = new Thread(process::destroyForcibly, "child killer");
    Runtime.getRuntime().addShutdownHook(killer);
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
                + String.join(" ", arguments)
                + ")");
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
      removeHook(killer);
    }
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
      if (reason == null && line.startsWith(Main.FAILED)) {
        reason = line.substring(Main.FAILED.length());
      }
      last = line.isBlank() ? last : line;
    }
    return reason == null ? last : reason;
  }

  private static void removeHook(Thread killer) {
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException ending) {
      // The hooks run already.
    }
  }
}
