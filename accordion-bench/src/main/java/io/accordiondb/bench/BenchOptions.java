// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.engine.EngineOptions;
import io.accordiondb.bench.engine.ScanRequest;
import org.jspecify.annotations.Nullable;

/**
 * One measurement.
 *
 * @param workload what is done
 * @param engine name of the engine
 * @param engineOptions the options of the engine
 * @param distribution how keys are drawn
 * @param records different keys
 * @param operations rows written, read or scanned from
 * @param warmup operations done before those that are measured; 0 for none. After a load they are
 *     done on the same data, once the process is idle; writes that need no load are done on a store
 *     of their own, and those that are measured begin once the process is idle. {@link
 *     Workload#HOLD} has none.
 * @param keyBytes length of a key
 * @param fieldBytes length of a field's value
 * @param batch rows of one write
 * @param scan which rows a scan reads, and in which order
 * @param scanRows rows of one scan, at most; prefixes are as long as {@link Rows#prefixBytes} says
 * @param threads threads that share the operations
 * @param writeRate rows a second that all threads together write at most, once loaded; 0 for no
 *     such limit
 * @param readRate reads or scans a second that all threads together do at most, or operations of
 *     YCSB's workloads A to F; 0 for no such limit
 */
public record BenchOptions(
    Workload workload,
    String engine,
    EngineOptions engineOptions,
    Distribution distribution,
    long records,
    long operations,
    long warmup,
    int keyBytes,
    int fieldBytes,
    int batch,
    ScanRequest.Kind scan,
    int scanRows,
    int threads,
    long writeRate,
    long readRate) {

  /** The workloads. */
  public enum Workload {
    /** Rows are written, into an empty store. */
    WRITE,
    /** Counters are added to, blindly, in an empty store; then their sum is checked. */
    COUNTER,
    /** All records are written, then single fields read. */
    READ,
    /** All records are written, then ranges of rows read. */
    SCAN,
    /** All records are written, then one thread reads while the others write. */
    MIXED,
    /** All records are written, then one thread scans while the others write. */
    MIXED_SCAN,
    /** All records are written once; what they take in memory, without garbage, is measured. */
    HOLD,
    /** Records of YCSB are inserted, one by one, into an empty store. */
    YCSB_LOAD("workloada"),
    /** YCSB's workload of that letter, after all its records were inserted. */
    YCSB_A("workloada"),
    YCSB_B("workloadb"),
    YCSB_C("workloadc"),
    YCSB_D("workloadd"),
    YCSB_E("workloade"),
    YCSB_F("workloadf");

    private final @Nullable String ycsbName;

    Workload() {
      ycsbName = null;
    }

    Workload(String ycsbName) {
      this.ycsbName = ycsbName;
    }

    /** Returns the name of the workload of YCSB's that is run; null where it is none. */
    public @Nullable String ycsbName() {
      return ycsbName;
    }

    /** Returns whether all records are written before anything is measured. */
    public boolean loads() {
      return this != WRITE && this != COUNTER && this != HOLD && this != YCSB_LOAD;
    }

    /** Returns whether operations are done on another store before those that are measured. */
    boolean warmsUpElsewhere() {
      return this == WRITE || this == COUNTER || this == YCSB_LOAD;
    }

    /** Returns whether operations are done before those that are measured. */
    public boolean warmsUp() {
      return this != HOLD;
    }
  }
}
