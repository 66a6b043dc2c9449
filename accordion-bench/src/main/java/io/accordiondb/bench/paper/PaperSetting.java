// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.Durability;
import io.accordiondb.bench.Distribution;
import java.util.List;

/**
 * The setting of experiments. Immutable.
 *
 * @param host the database
 * @param size how much a run does
 * @param disks the disks, one or more; experiments of one disk take the first
 */
public record PaperSetting(Host host, WorkSize size, List<Disk> disks) {
  public PaperSetting {
    if (host == Host.HBASE && !disks.equals(List.of(Disk.NONE))) {
      throw new IllegalArgumentException("disks are simulated for the embedded store alone");
    }
    disks = List.copyOf(disks);
  }

  Disk firstDisk() {
    return disks.get(0);
  }

  /** Returns a write-only run. */
  PaperRun write(Variant variant, Distribution distribution, Disk disk) {
    return run(variant, PaperRun.Workload.WRITE, distribution, disk);
  }

  /** Returns a write-only run with zipfian keys on the first disk. */
  PaperRun write(Variant variant) {
    return write(variant, Distribution.ZIPFIAN, firstDisk());
  }

  /** Returns a run with the paper's asynchronous log. */
  PaperRun run(Variant variant, PaperRun.Workload workload, Distribution distribution, Disk disk) {
    return new PaperRun(
        variant.engine(),
        variant.policy(),
        variant.layout(),
        workload,
        distribution,
        disk,
        Durability.ASYNC,
        size,
        0);
  }
}
