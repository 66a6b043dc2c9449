// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.engine.EngineUnavailableException;
import io.accordiondb.bench.report.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs engines in turn, each run in a process of its own, so that variations of the machine affect
 * all engines and no heap is shared, and compares the medians.
 *
 * @param workload the workload that every engine ran
 * @param rows the engines that ran, in the order in which they were named
 * @param skipped the engines that cannot be used on this machine, with the reason
 * @param failed the engines of which a run has failed, with the reason
 */
public record Comparison(
    String workload, List<Row> rows, Map<String, String> skipped, Map<String, String> failed) {
  /**
   * One engine's runs.
   *
   * @param engine name
   * @param runs all results, at least one
   * @param rate operations a second
   * @param ratio median rate over that of the baseline
   * @param firstMillionSeconds how long after their start the runs had written their first million
   *     rows; null if they wrote fewer
   */
  public record Row(
      String engine,
      List<BenchResult> runs,
      Spread rate,
      double ratio,
      @Nullable Spread firstMillionSeconds) {
    /** Returns the run whose rate is closest to the median: its other figures are shown. */
    public BenchResult middle() {
      BenchResult middle = runs.get(0);
      for (BenchResult run : runs) {
        if (distance(run) < distance(middle)) {
          middle = run;
        }
      }
      return middle;
    }

    private double distance(BenchResult run) {
      return Math.abs(run.operationsPerSecond() - rate.median());
    }

    /** Returns the highest resident memory of any run, 0 where unknown. */
    public long peakMemoryBytes() {
      return runs.stream().mapToLong(BenchResult::peakMemoryBytes).max().orElse(0);
    }
  }

  /**
   * Runs all rounds; the order of the engines changes from round to round. An engine of which a run
   * fails is left out from then on. The baseline is the last engine that is left.
   */
  public static Comparison run(
      String workload, List<String> engines, int rounds, EngineRunner runner) {
    Map<String, List<BenchResult>> results = new LinkedHashMap<>();
    Map<String, String> skipped = new LinkedHashMap<>();
    Map<String, String> failed = new LinkedHashMap<>();
    engines.forEach(engine -> results.put(engine, new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      List<String> order = new ArrayList<>(results.keySet());
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (String engine : order) {
        try {
          results.getOrDefault(engine, new ArrayList<>()).add(runner.run(engine, round));
        } catch (EngineUnavailableException e) {
          skipped.put(engine, String.valueOf(e.getMessage()));
          results.remove(engine);
        } catch (IOException e) {
          failed.put(engine, String.valueOf(e.getMessage()));
          results.remove(engine);
        }
      }
    }
    return new Comparison(workload, rows(results), skipped, failed);
  }

  private static List<Row> rows(Map<String, List<BenchResult>> results) {
    double baseline = 1;
    for (List<BenchResult> runs : results.values()) {
      baseline = rate(runs).median();
    }
    List<Row> rows = new ArrayList<>();
    for (Map.Entry<String, List<BenchResult>> entry : results.entrySet()) {
      List<BenchResult> runs = entry.getValue();
      Spread rate = rate(runs);
      rows.add(
          new Row(entry.getKey(), runs, rate, rate.median() / baseline, firstMillionSeconds(runs)));
    }
    return rows;
  }

  private static @Nullable Spread firstMillionSeconds(List<BenchResult> runs) {
    List<Double> seconds =
        runs.stream().flatMap(run -> Stream.ofNullable(run.firstMillionSeconds())).toList();
    return seconds.isEmpty() ? null : Spread.of(seconds);
  }

  private static Spread rate(List<BenchResult> runs) {
    return Spread.of(runs.stream().map(BenchResult::operationsPerSecond).toList());
  }
}
