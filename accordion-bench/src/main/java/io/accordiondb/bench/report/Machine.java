// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** Describes the machine of an experiment, as every report states it. */
public final class Machine {
  private static final double MIB = 1 << 20;

  private Machine() {}

  /** Returns one line each for the machine, its system and its Java. */
  public static List<String> lines() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return List.of(
        String.format(
            Locale.ROOT,
            "%d processors, %,.0f MB of memory",
            system.getAvailableProcessors(),
            system.getTotalMemorySize() / MIB),
        system.getName() + " " + system.getVersion() + ", " + system.getArch(),
        String.format(
            Locale.ROOT,
            "%s %s, heap of at most %,.0f MB",
            System.getProperty("java.vm.name"),
            System.getProperty("java.vm.version"),
            Runtime.getRuntime().maxMemory() / MIB));
  }
}
