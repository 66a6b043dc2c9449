// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the Java process has used. */
public final class ProcessFigures {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK = "VmHWM:";

  private ProcessFigures() {}

  /** Returns the time spent in garbage collection so far. */
  public static long gcMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  /** Returns the highest resident memory so far, 0 where the system does not tell. */
  public static long peakMemoryBytes() {
    if (!Files.isReadable(STATUS)) {
      return 0;
    }
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith(PEAK))
          .map(line -> line.substring(PEAK.length()).replace("kB", "").strip())
          .mapToLong(kib -> Long.parseLong(kib) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
