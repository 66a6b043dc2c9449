// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.bench.engine.EngineUnavailableException;
import io.accordiondb.bench.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  @TempDir Path folder;

  private static BenchResult result(String engine, double rate) {
    return Results.of(engine, rate, 6, (long) rate);
  }

  @Test
  void alternatesEnginesAndComparesMediansWithTheLast() {
    List<String> order = new ArrayList<>();
    Comparison comparison =
        Comparison.run(
            "read",
            List.of("a", "b"),
            3,
            (engine, round) -> {
              order.add(engine);
              return result(engine, engine.equals("a") ? 30 + 10 * round : 20 - round);
            });

    assertThat(order).containsExactly("a", "b", "b", "a", "a", "b");
    List<Comparison.Row> rows = comparison.rows();
    assertThat(rows.get(0).rate()).isEqualTo(new Spread(40, 30, 50));
    assertThat(rows.get(1).rate().median()).isEqualTo(19);
    assertThat(rows.get(0).ratio()).isEqualTo(40.0 / 19);
    assertThat(rows.get(1).ratio()).isEqualTo(1);
    assertThat(rows.get(0).firstMillionSeconds()).isEqualTo(new Spread(2.5, 2, 100.0 / 30));
    assertThat(rows.get(0).middle().operationsPerSecond()).isEqualTo(40);
    assertThat(rows.get(0).peakMemoryBytes()).isEqualTo(50L << 20);
  }

  @Test
  void goesOnWithoutAnEngineThatFails() {
    Comparison comparison =
        Comparison.run(
            "read",
            List.of("a", "b", "weak"),
            2,
            (engine, round) -> {
              if (engine.equals("weak") && round == 1) {
                throw new IOException("out of memory");
              }
              return result(engine, engine.equals("a") ? 40 : 20);
            });

    assertThat(comparison.rows()).hasSize(2);
    assertThat(comparison.rows().get(0).ratio()).isEqualTo(2);
    assertThat(comparison.failed()).containsEntry("weak", "out of memory").hasSize(1);
    ComparisonReport report = new ComparisonReport(List.of(comparison));
    assertThat(report.summary()).contains("weak: failed: out of memory");
    assertThat(report.html("bench").html()).contains("<td>weak</td><td>failed</td>");
  }

  @Test
  void skipsWhatCannotBeUsedAndSaysWhy() {
    List<String> order = new ArrayList<>();
    Comparison comparison =
        Comparison.run(
            "read",
            List.of("a", "b", "missing"),
            2,
            (engine, round) -> {
              order.add(engine);
              if (engine.equals("missing")) {
                throw new EngineUnavailableException("no library");
              }
              return result(engine, engine.equals("a") ? 40 : 20);
            });

    assertThat(order).containsExactly("a", "b", "missing", "b", "a");
    assertThat(comparison.skipped()).containsEntry("missing", "no library").hasSize(1);
    assertThat(comparison.rows().get(0).ratio()).isEqualTo(2);
    ComparisonReport report = new ComparisonReport(List.of(comparison));
    assertThat(report.summary()).contains("missing: skipped: no library", "a: a as it is");
    assertThat(report.html("bench").html())
        .contains("missing: skipped: no library", "<td>a</td><td>40</td>", "<h2>Memory</h2>")
        .contains("read: 1,000 operations after 500");
  }

  @Test
  void showsEachEnginesMiddleRunOverTime() throws IOException {
    Comparison comparison =
        Comparison.run("read", List.of("fast", "slow"), 1, (name, round) -> result(name, 10));
    ComparisonReport report = new ComparisonReport(List.of(comparison));
    assertThat(report.html("bench").html()).contains("Over time: read");
    report.writeCharts(folder);
    for (String chart : List.of("latency-over-time-read", "rate-over-time-read")) {
      assertThat(folder.resolve(chart + ".png")).isNotEmptyFile();
      assertThat(folder.resolve(chart + ".svg"))
          .content()
          .as("a colour for each engine")
          .contains("rgb(0,114,178)", "rgb(230,159,0)");
    }
  }

  @Test
  void showsRatesRatiosLatenciesAndMemoryOfAllWorkloads() throws IOException {
    List<Comparison> comparisons = new ArrayList<>();
    for (String workload : List.of("read", "scan")) {
      comparisons.add(
          Comparison.run(
              workload, List.of("a", "b"), 1, (name, n) -> result(name, name.length() * 10)));
    }
    assertThat(new ComparisonReport(comparisons).summary()).contains("a       1.00  1.00");
    assertThat(ComparisonReport.lines(comparisons.get(1)))
        .contains(
            "scan: 1,000 operations after 500",
            "engine  median /s  lowest  highest  ratio  p50 µs  p99 µs  p99.9 µs  p99.99 µs"
                + "  longest µs  tables MB  written MB  GC ms  peak MB",
            "a              10      10       10   1.00     1.0     3.0         4          5"
                + "           6          -           5      0       10",
            "a: the first million rows were written 10.00 s after the start, 10.00 to 10.00");
  }
}
