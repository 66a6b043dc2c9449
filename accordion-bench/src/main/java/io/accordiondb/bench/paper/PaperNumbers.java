// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import io.accordiondb.bench.Distribution;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The figures of the paper (Accordion: Better Memory Organization for LSM Key-Value Stores, PVLDB
 * 11(12), 2018): its tables as they are, and what its text says of figures whose values it does not
 * print.
 */
final class PaperNumbers {
  static final String NONE = "NoCompaction";
  static final String BASIC = "Basic";
  static final String ADAPTIVE = "Adaptive (R=0.2)";

  /** Table 1: writes a second with zipfian and uniform keys, on SSD and HDD. */
  record Throughput(long zipfianSsd, long zipfianHdd, long uniformSsd, long uniformHdd) {
    long of(Distribution distribution, Disk disk) {
      boolean hdd = disk == Disk.HDD;
      return distribution == Distribution.UNIFORM
          ? hdd ? uniformHdd : uniformSsd
          : hdd ? zipfianHdd : zipfianSsd;
    }
  }

  /** Table 2: flushes and compactions with zipfian keys, on SSD and HDD. */
  record Work(int flushesSsd, int compactionsSsd, int flushesHdd, int compactionsHdd) {
    int flushes(Disk disk) {
      return disk == Disk.HDD ? flushesHdd : flushesSsd;
    }

    int compactions(Disk disk) {
      return disk == Disk.HDD ? compactionsHdd : compactionsSsd;
    }
  }

  static final Map<String, Throughput> TABLE_1 = table1();
  static final Map<String, Work> TABLE_2 = table2();

  private static final String FIGURE_5 = "section 4.2.1";

  /** "only marginally slower than Basic's (3% to 7% …)". */
  static final PaperNumber ADAPTIVE_OVER_BASIC = new PaperNumber(0.93, FIGURE_5);

  /** "13% less bytes than NoCompaction on SSD, and 8% on HDD", "almost 30%". */
  static final PaperNumber BASIC_BYTES_SSD = new PaperNumber(0.87, FIGURE_5);

  static final PaperNumber BASIC_BYTES_HDD = new PaperNumber(0.92, FIGURE_5);
  static final PaperNumber ADAPTIVE_BYTES = new PaperNumber(0.70, FIGURE_5);

  /** "approximately 45% of the write volume". */
  static final PaperNumber LOG_SHARE = new PaperNumber(0.45, FIGURE_5);

  /** "a clear negative correlation". */
  static final PaperNumber GC_CORRELATION = new PaperNumber(0, "Figure 7: negative");

  static final PaperNumber FLAT_HEAP = new PaperNumber(1.27, "section 4.2.1, Figure 8");
  static final PaperNumber FLAT_OFF_HEAP = new PaperNumber(1.29, "section 4.2.1, Figure 8");
  static final PaperNumber SERIALISED_HEAP = new PaperNumber(1.33, "section 4.2.1, Figure 8");
  static final PaperNumber SERIALISED_OFF_HEAP = new PaperNumber(1.44, "section 4.2.1, Figure 8");

  /** The 95th percentile of gets. */
  static final PaperNumber GETS_P95_SSD =
      new PaperNumber(2.26 / 2.13, "section 4.2.2: 2.26 ms / 2.13 ms");

  /** "15% to 40% for Adaptive": the least of it. */
  static final PaperNumber GETS_TAIL_HDD = new PaperNumber(0.85, "section 4.2.2: 15% to 40% less");

  /** "negligible – up to 3%". */
  static final PaperNumber SCANS_SHORT_PIPELINE = new PaperNumber(1.03, "section 4.2.3");

  /** "2% − 8%": the most of it. */
  static final PaperNumber SCANS_LONG_PIPELINE = new PaperNumber(1.08, "section 4.2.3");

  /** "The write throughput is higher for small values of A". */
  static final PaperNumber SMALLER_ACTIVE = new PaperNumber(1, "Figure 11: higher for small A");

  static final PaperNumber BEST_SEGMENTS_SSD = new PaperNumber(5, "section 4.2.4, Figure 12a");
  static final PaperNumber BEST_SEGMENTS_HDD = new PaperNumber(4, "section 4.2.4, Figure 12b");

  /** "outperforms the baseline by 20%". */
  static final PaperNumber EAGER_LARGE_ACTIVE = new PaperNumber(1.20, "section 4.2.4, Figure 13");

  /** "its performance with these parameters is below the baseline". */
  static final PaperNumber EAGER_SMALL_ACTIVE =
      new PaperNumber(1, "section 4.2.1: below the baseline");

  private PaperNumbers() {}

  private static Map<String, Throughput> table1() {
    Map<String, Throughput> rows = new LinkedHashMap<>();
    rows.put(NONE, new Throughput(75_861, 60_457, 74_971, 35_342));
    rows.put(BASIC, new Throughput(115_730, 78_392, 92_816, 38_488));
    return rows;
  }

  private static Map<String, Work> table2() {
    Map<String, Work> rows = new LinkedHashMap<>();
    rows.put(NONE, new Work(1468, 524, 1504, 548));
    rows.put(BASIC, new Work(1224, 355, 1210, 443));
    rows.put("Adaptive (R=0.5)", new Work(922, 309, 879, 316));
    rows.put("Adaptive (R=0.35)", new Work(754, 261, 711, 248));
    rows.put(ADAPTIVE, new Work(631, 209, 630, 216));
    return rows;
  }

  /** Returns Basic over NoCompaction from Table 1. */
  static PaperNumber basicThroughput(Distribution distribution, Disk disk) {
    long basic = of(TABLE_1, BASIC).of(distribution, disk);
    long none = of(TABLE_1, NONE).of(distribution, disk);
    return new PaperNumber(
        (double) basic / none, FigureFormat.format("Table 1: %,d / %,d", basic, none));
  }

  /** Returns a policy's flushes over NoCompaction's from Table 2. */
  static PaperNumber flushes(String policy, Disk disk) {
    int own = of(TABLE_2, policy).flushes(disk);
    int none = of(TABLE_2, NONE).flushes(disk);
    return new PaperNumber(
        (double) own / none, FigureFormat.format("Table 2: %,d / %,d", own, none));
  }

  /** Returns a policy's compactions over NoCompaction's from Table 2. */
  static PaperNumber compactions(String policy, Disk disk) {
    int own = of(TABLE_2, policy).compactions(disk);
    int none = of(TABLE_2, NONE).compactions(disk);
    return new PaperNumber(
        (double) own / none, FigureFormat.format("Table 2: %,d / %,d", own, none));
  }

  private static <T> T of(Map<String, T> table, String policy) {
    T row = table.get(policy);
    if (row == null) {
      throw new IllegalArgumentException("the paper has no row " + policy);
    }
    return row;
  }
}
