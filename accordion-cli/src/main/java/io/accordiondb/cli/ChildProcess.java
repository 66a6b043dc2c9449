// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.engine.EngineUnavailableException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs this program again with other arguments, so that measurements share no heap. */
final class ChildProcess {
  private ChildProcess() {}

  /**
   * Returns what the process printed.
   *
   * @throws EngineUnavailableException if an engine cannot be used here
   * @throws IOException if it ended with another exit code than 0; the message says why
   */
  static String run(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.addAll(arguments);
    Path errors = Files.createTempFile("accordion-", ".log");
    try {
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exitCode = await(process);
      if (exitCode == Main.EXIT_UNAVAILABLE) {
        throw new EngineUnavailableException(reason(errors));
      }
      if (exitCode != 0) {
        throw new IOException(
            reason(errors)
                + " (exit code "
                + exitCode
                + "; run it alone: "
                + String.join(" ", command)
                + ")");
      }
      return output;
    } finally {
      Files.delete(errors);
    }
  }

  private static int await(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Returns what the process gave as the reason of its failure, or else the last it said. */
  private static String reason(Path errors) throws IOException {
    String reason = "the process said nothing";
    for (String line : new String(Files.readAllBytes(errors), StandardCharsets.UTF_8).split("\n")) {
      if (line.startsWith(Main.FAILED)) {
        return line.substring(Main.FAILED.length());
      }
      reason = line.isBlank() ? reason : line;
    }
    return reason;
  }
}
