// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resources that the Java process has used. */
public final class ProcessFigures {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK = "VmHWM:";
  private static final Path IO = Path.of("/proc/self/io");
  private static final String STORED = "write_bytes:";

  /** Collections after which the heap is taken as it is. */
  private static final int COLLECTIONS_MAX = 5;

  private ProcessFigures() {}

  /** Returns the time spent in garbage collection so far. */
  public static long gcMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  /** Returns the highest resident memory so far, 0 where the system does not tell. */
  public static long peakMemoryBytes() {
    return number(STATUS, PEAK) * 1024;
  }

  /** Returns the bytes that were written to storage so far, 0 where the system does not tell. */
  public static long bytesStored() {
    return number(IO, STORED);
  }

  /** Collects garbage and returns the bytes of the heap that are in use. */
  public static long heapBytes() {
    long used = Long.MAX_VALUE;
    for (int collection = 0; collection < COLLECTIONS_MAX; collection++) {
      System.gc();
      long left = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
      if (left > used - used / 100) {
        return left;
      }
      used = left;
    }
    return used;
  }

  /** Returns the bytes of direct buffers. */
  public static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long number(Path file, String name) {
    if (!Files.isReadable(file)) {
      return 0;
    }
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).replace("kB", "").strip())
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
