// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A temporary folder of a measurement, which deletes it at its end, or when the JVM is asked to
 * end.
 */
final class WorkFolder implements AutoCloseable {
  /** How often the deletion is tried when the JVM ends: processes that write here end meanwhile. */
  private static final int ATTEMPTS_AT_EXIT = 100;

  private static final int ATTEMPT_MILLIS = 50;

  private final Path path;
  private final ExitHook hook;

  private WorkFolder(Path path) {
    this.path = path;
    this.hook = ExitHook.add(this::deleteAtExit);
  }

  static WorkFolder create() throws IOException {
    return new WorkFolder(Files.createTempDirectory("accordion-streams"));
  }

  Path path() {
    return path;
  }

  /** Deletes a folder with all it holds, if it exists. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
        Files.delete(file);
      }
    }
  }

  private void deleteAtExit() throws InterruptedException {
    for (int attempt = 0; attempt < ATTEMPTS_AT_EXIT; attempt++) {
      try {
        delete(path);
        return;
      } catch (IOException | RuntimeException beingWritten) {
        TimeUnit.MILLISECONDS.sleep(ATTEMPT_MILLIS);
      }
    }
    System.err.println("Cannot delete " + path + "; delete it by hand");
  }

  @Override
  public void close() throws IOException {
    hook.remove();
    delete(path);
  }
}
