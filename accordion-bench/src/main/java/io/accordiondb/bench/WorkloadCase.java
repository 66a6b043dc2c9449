// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchOptions.Workload;
import java.util.Locale;

/** One case of a comparison: a workload with its distribution and its share of operations. */
public enum WorkloadCase {
  /** Batches of rows, YCSB's zipfian keys. */
  WRITE(Workload.WRITE, Distribution.ZIPFIAN, false, 1),
  /** Batches of rows, uniform keys. */
  WRITE_UNIFORM(Workload.WRITE, Distribution.UNIFORM, false, 1),
  /** Single rows, zipfian keys. */
  PUT(Workload.WRITE, Distribution.ZIPFIAN, true, 1),
  /** Gets, zipfian keys. */
  READ(Workload.READ, Distribution.ZIPFIAN, false, 1 / 4.0),
  /** Gets, uniform keys. */
  READ_UNIFORM(Workload.READ, Distribution.UNIFORM, false, 1 / 4.0),
  /** Batches of rows, while another thread gets; its latencies are shown. */
  MIXED(Workload.MIXED, Distribution.ZIPFIAN, false, 1 / 4.0),
  /** Scans from zipfian keys on. */
  SCAN(Workload.SCAN, Distribution.ZIPFIAN, false, 1 / 128.0);

  private final Workload workload;
  private final Distribution distribution;
  private final boolean singleRows;
  private final double share;

  WorkloadCase(Workload workload, Distribution distribution, boolean singleRows, double share) {
    this.workload = workload;
    this.distribution = distribution;
    this.singleRows = singleRows;
    this.share = share;
  }

  /** Returns what is done. */
  public Workload workload() {
    return workload;
  }

  /** Returns how keys are drawn. */
  public Distribution distribution() {
    return distribution;
  }

  /** Returns the rows of one write, given those of a batch. */
  public int batch(int rows) {
    return singleRows ? 1 : rows;
  }

  /** Returns how many operations are done, given those of {@link #WRITE}; at least 1. */
  public long operations(long writes) {
    return Math.max(1, Math.round(writes * share));
  }

  /** Returns the name that people write. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
