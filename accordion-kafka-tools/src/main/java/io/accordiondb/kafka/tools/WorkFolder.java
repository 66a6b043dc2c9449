// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A temporary folder of a measurement, which deletes it at its end. */
record WorkFolder(Path path) implements AutoCloseable {
  static WorkFolder create() throws IOException {
    return new WorkFolder(Files.createTempDirectory("accordion-streams"));
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

  @Override
  public void close() throws IOException {
    delete(path);
  }
}
