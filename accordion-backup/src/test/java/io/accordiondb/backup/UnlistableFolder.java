// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import io.accordiondb.fixtures.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that exists and cannot be listed, even by the superuser. */
final class UnlistableFolder {
  private UnlistableFolder() {}

  /** Mounts the folder of a process, which then ends. */
  static Mount mountAt(Path place) throws IOException, InterruptedException {
    Files.createDirectories(place);
    Process process = new ProcessBuilder("sleep", "600").start();
    try {
      return Mount.of("--bind", "/proc/" + process.pid() + "/task", place.toString());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
