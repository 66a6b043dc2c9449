// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, with the class path of this one. It is killed when this one ends. */
final class JavaProcess implements AutoCloseable {
  private final Process process;
  private final ExitHook hook;

  private JavaProcess(Process process) {
    this.process = process;
    try {
      this.hook = ExitHook.add(this::kill);
    } catch (IllegalStateException ending) {
      process.destroyForcibly();
      throw ending;
    }
  }

  /**
   * Starts a process.
   *
   * @param log gets what it prints
   * @param options of the JVM
   */
  static JavaProcess start(Path log, List<String> options, String mainClass, String... arguments)
      throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", classPath, mainClass));
    command.addAll(List.of(arguments));
    return new JavaProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  /** Ends the process by a SIGKILL. */
  void kill() throws InterruptedException {
    hook.remove();
    process.destroyForcibly();
    process.waitFor();
  }

  /** Asks the process to end, and kills it if it has not within ten seconds. */
  @Override
  public void close() {
    hook.remove();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
