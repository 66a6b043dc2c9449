// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.BenchOptions.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One kind of work under one set of conditions: a row of a {@link RegimeReport}.
 *
 * @param title description of the work
 * @param goal the rate to reach, relative to that of the baseline
 * @param workload the workload
 * @param operations number of measured operations
 * @param warmsUp whether a warm-up of three times as many operations precedes them
 * @param flags further flags of {@code accordion bench}, with their values
 */
public record Regime(
    String title,
    double goal,
    Workload workload,
    long operations,
    boolean warmsUp,
    List<String> flags) {
  /** Operations of a warm-up, as a multiple of the measured ones. */
  private static final int WARMUP = 3;

  private static final String[] UNIFORM = {"--distribution=UNIFORM"};
  private static final String[] SINGLE = {"--batch=1"};
  private static final String[] KILOBYTES = {"--records=250000", "--field-length=1000"};
  private static final String[] SMALL = {"--memory=16", "--cache=16"};
  private static final String[] YCSB = {"--records=200000", "--field-length=1000", "--threads=2"};

  /** All of the matrix, in its order. */
  public static final List<Regime> ALL =
      List.of(
          warm("batched writes, zipfian", 3.0, Workload.WRITE, 6_000_000),
          warm("batched writes, uniform", 3.0, Workload.WRITE, 6_000_000, UNIFORM),
          cold("batched writes, zipfian, first 8M", 2.0, 8_000_000),
          cold("batched writes, uniform, first 8M", 2.0, 8_000_000, UNIFORM),
          warm("single puts", 4.5, Workload.WRITE, 3_000_000, SINGLE),
          cold("single puts, first 3M", 3.0, 3_000_000, SINGLE),
          warm("gets, zipfian", 3.0, Workload.READ, 1_500_000),
          warm("gets, uniform", 2.0, Workload.READ, 1_500_000, UNIFORM),
          warm("gets, uniform, 2 threads", 2.0, Workload.READ, 2_000_000, UNIFORM, "--threads=2"),
          warm("scans of 50 rows", 2.0, Workload.SCAN, 300_000),
          warm("reverse scans of 50 rows", 2.0, Workload.SCAN, 300_000, "--scan=REVERSE"),
          // On average 22 of the 2,000,000 keys share a prefix; with a digit less, 217 would.
          warm("prefix scans of some 22 rows", 2.0, Workload.SCAN, 400_000, "--scan=PREFIX"),
          warm("1 KB: batches of 10", 1.5, Workload.WRITE, 1_000_000, KILOBYTES, "--batch=10"),
          warm("1 KB: gets", 2.5, Workload.READ, 1_000_000, KILOBYTES),
          warm("1 KB: scans of 50 rows", 2.0, Workload.SCAN, 150_000, KILOBYTES),
          warm("16 MB: batched writes", 1.3, Workload.WRITE, 4_000_000, SMALL),
          warm("16 MB: single puts", 1.3, Workload.WRITE, 2_000_000, SMALL, "--batch=1"),
          warm("16 MB: writes beside gets", 1.3, Workload.MIXED, 2_000_000, SMALL),
          warm("16 MB: scans of 50 rows", 1.3, Workload.SCAN, 200_000, SMALL),
          warm("YCSB load", 1.3, Workload.YCSB_LOAD, 600_000, YCSB),
          warm("YCSB A", 1.3, Workload.YCSB_A, 1_000_000, YCSB),
          warm("YCSB B", 1.3, Workload.YCSB_B, 1_500_000, YCSB),
          warm("YCSB C", 1.3, Workload.YCSB_C, 1_500_000, YCSB),
          warm("YCSB D", 1.3, Workload.YCSB_D, 1_500_000, YCSB),
          warm("YCSB E", 1.3, Workload.YCSB_E, 150_000, YCSB),
          warm("YCSB F", 1.3, Workload.YCSB_F, 700_000, YCSB));

  private static Regime warm(
      String title, double goal, Workload workload, long operations, String... flags) {
    return new Regime(title, goal, workload, operations, true, List.of(flags));
  }

  private static Regime warm(
      String title,
      double goal,
      Workload workload,
      long operations,
      String[] flags,
      String further) {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add(further);
    return new Regime(title, goal, workload, operations, true, all);
  }

  private static Regime cold(String title, double goal, long operations, String... flags) {
    return new Regime(title, goal, Workload.WRITE, operations, false, List.of(flags));
  }

  /**
   * Returns the arguments of a run in a process of its own, without the engine.
   *
   * @param share how many of the operations are done, of 1; at least 1000
   */
  public List<String> arguments(double share) {
    long count = Math.max(1000, Math.round(operations * share));
    List<String> arguments = new ArrayList<>(List.of("bench"));
    if (workload.ycsbName() == null) {
      arguments.add(workload.name().toLowerCase(Locale.ROOT));
    } else {
      arguments.add("ycsb");
      arguments.add("--ycsb=" + workload);
    }
    arguments.add("--json");
    arguments.add("--operations=" + count);
    arguments.add("--warmup=" + (warmsUp ? WARMUP * count : 0));
    arguments.addAll(flags);
    return arguments;
  }
}
