// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Runs this program again with other arguments, so that measurements share no heap. The process
 * ends with this one.
 */
final class ChildProcess {
  private ChildProcess() {}

  /**
   * Returns what the process printed.
   *
   * @throws IOException if it ended with another exit code than 0
   */
  static String run(List<String> arguments) throws IOException {
    return run(List.of(), arguments, line -> {});
  }

  /**
   * Returns what the process printed to its output.
   *
   * @param javaOptions further options of the Java machine, stronger than those of this process
   * @param messages gets each line of its error output, on another thread
   * @throws IOException if it ended with another exit code than 0
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
      CompletableFuture<Void> reading =
          CompletableFuture.runAsync(() -> readMessages(process, messages));
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exitCode = process.waitFor();
      reading.join();
      if (exitCode != 0) {
        throw new IOException(
            "the process ended with exit code "
                + exitCode
                + "; run it alone to see why: "
                + String.join(" ", command));
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

  private static void readMessages(Process process, Consumer<String> messages) {
    BufferedReader reader = process.errorReader(StandardCharsets.UTF_8);
    reader.lines().forEach(messages);
  }

  private static void removeHook(Thread killer) {
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException ending) {
      // The hooks run already.
    }
  }
}
