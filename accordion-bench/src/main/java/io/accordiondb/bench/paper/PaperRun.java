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
 * @param disk what the store lies on
 * @param durability ASYNC with an aggregation of one second as in the paper, or SYNC
 * @param size how much is done
 */
public record PaperRun(
    String engine,
    MemStorePolicy policy,
    SegmentLayout layout,
    Workload workload,
    Distribution distribution,
    Disk disk,
    Durability durability,
    WorkSize size) {

  /** What is done. */
  public enum Workload {
    /** Rows are written into an empty store (section 4.2.1). */
    WRITE,
    /** After a load, some threads write while others get single cells (section 4.2.2). */
    READ_WRITE,
    /** After a load, 95% scans of 1 to 100 rows and 5% puts (section 4.2.3). */
    SCAN_WRITE
  }
}
