// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs engines by turns, each run in a process of its own, so that they share the machine's moods
 * but not a heap, and compares the medians.
 */
public final class Comparison {
  /** Runs one measurement in a process of its own. */
  public interface Runner {
    /** Returns what the process has measured. */
    BenchResult run(String engine, int round) throws IOException;
  }

  /**
   * One engine's runs.
   *
   * @param engine name
   * @param runs all results
   * @param median median of operations a second
   * @param lowest lowest of them
   * @param highest highest of them
   * @param ratio median over that of the last engine named, which is the baseline
   */
  public record Row(
      String engine,
      List<BenchResult> runs,
      double median,
      double lowest,
      double highest,
      double ratio) {}

  private Comparison() {}

  /** Runs all rounds; the order of the engines changes from round to round. */
  public static List<Row> run(List<String> engines, int rounds, Runner runner) throws IOException {
    Map<String, List<BenchResult>> results = new LinkedHashMap<>();
    engines.forEach(engine -> results.put(engine, new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      List<String> order = new ArrayList<>(engines);
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (String engine : order) {
        results.getOrDefault(engine, new ArrayList<>()).add(runner.run(engine, round));
      }
    }
    return rows(results);
  }

  static List<Row> rows(Map<String, List<BenchResult>> results) {
    double baseline = 1;
    for (List<BenchResult> runs : results.values()) {
      baseline = median(rates(runs));
    }
    List<Row> rows = new ArrayList<>();
    for (Map.Entry<String, List<BenchResult>> entry : results.entrySet()) {
      double[] rates = rates(entry.getValue());
      rows.add(
          new Row(
              entry.getKey(),
              entry.getValue(),
              median(rates),
              rates[0],
              rates[rates.length - 1],
              median(rates) / baseline));
    }
    return rows;
  }

  private static double[] rates(List<BenchResult> runs) {
    return runs.stream().mapToDouble(BenchResult::operationsPerSecond).sorted().toArray();
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
