// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what Linux counts of this process. Other systems count nothing: all figures are 0. */
final class ProcessFigures {
  private ProcessFigures() {}

  /** Returns the resident memory. */
  static long residentBytes() throws IOException {
    return field("status", "VmRSS:") * 1024;
  }

  /** Returns the highest resident memory since the start. */
  static long residentBytesMax() throws IOException {
    return field("status", "VmHWM:") * 1024;
  }

  /** Returns the bytes that the process caused to be written to the device. */
  static long writtenBytes() throws IOException {
    return field("io", "write_bytes:");
  }

  private static long field(String file, String name) throws IOException {
    Path path = Path.of("/proc/self", file);
    if (!Files.isReadable(path)) {
      return 0;
    }
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).replaceAll("[^0-9]", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
