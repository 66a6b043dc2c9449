// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.Durability;
import io.accordiondb.bench.Distribution;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.layout.SegmentLayout;

/**
 * One measurement, in a process of its own. Equal runs are the same measurement, whichever
 * experiment asks for it. Immutable.
 *
 * @param engine name of the engine
 * @param policy policy of the memory stores
 * @param layout form of their segments; for the embedded store
 * @param workload what is done
 * @param distribution how keys are drawn
 * @param disk the disk that holds the store
 * @param durability ASYNC with an aggregation of one second as in the paper, or SYNC
 * @param size how much is done
 * @param pace rows or operations a second of all clients together, once what is measured begins; 0
 *     for as many as there can be
 */
public record PaperRun(
    String engine,
    MemStorePolicy policy,
    SegmentLayout layout,
    Workload workload,
    Distribution distribution,
    Disk disk,
    Durability durability,
    WorkSize size,
    int pace) {

  /**
   * Returns this run with clients that write at the same rate under every policy, so that only the
   * reads beside them differ.
   */
  PaperRun paced() {
    return new PaperRun(
        engine, policy, layout, workload, distribution, disk, durability, size, workload.pace);
  }

  /** The workloads of the paper. */
  public enum Workload {
    /** Rows are written into an empty store (section 4.2.1). */
    WRITE(0),
    /** After a load, some threads write while others get single cells (section 4.2.2). */
    READ_WRITE(30_000),
    /** After a load, 95% scans of 1 to 100 rows and 5% puts (section 4.2.3). */
    SCAN_WRITE(5_000);

    /** Operations a second that every policy sustains: rows written, or scans and puts. */
    private final int pace;

    Workload(int pace) {
      this.pace = pace;
    }
  }
}
