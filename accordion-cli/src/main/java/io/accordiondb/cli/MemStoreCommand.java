// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.OverTimeCharts;
import io.accordiondb.bench.Rows;
import io.accordiondb.bench.memstore.MemStoreBench;
import io.accordiondb.bench.memstore.MemStoreBenchOptions;
import io.accordiondb.bench.memstore.MemStoreFigures;
import io.accordiondb.bench.memstore.MemStoreVariant;
import io.accordiondb.bench.report.HtmlReport;
import io.accordiondb.bench.report.Machine;
import io.accordiondb.cli.text.Json;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code accordion bench memstore}. */
@Command(
    name = "memstore",
    mixinStandardHelpOptions = true,
    description =
        "Measures the memory store by itself: adds cells, emptying it when it is full, "
            + "then reads. Variants alternate, each run in a process of its own; the first "
            + "is the baseline of the ratios. Medians are printed; charts show the middle run of "
            + "each variant over time.")
final class MemStoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--variants",
      split = ",",
      defaultValue = "NONE,BASIC,EAGER,ADAPTIVE,AUTO",
      description =
          "policies, each with the form of its segments if it is not the default, as "
              + "BASIC/HEAP_CHUNKS/ARRAY (default ${DEFAULT-VALUE})")
  private List<String> variants = List.of();

  @Option(names = "--rounds", defaultValue = "3", description = "runs of each variant")
  private int rounds;

  @Option(names = "--active-fraction", defaultValue = "0.02", description = "A of the policy")
  private double activeFraction;

  @Option(names = "--pipeline-segments", defaultValue = "5", description = "S of the policy")
  private int pipelineSegments;

  @Option(names = "--threshold", defaultValue = "0.2", description = "R of ADAPTIVE")
  private double threshold;

  @Option(
      names = "--merge-schedule",
      defaultValue = "TIERED",
      description = "segments that BASIC and ADAPTIVE merge: ${COMPLETION-CANDIDATES}")
  private MergeSchedule mergeSchedule = MergeSchedule.TIERED;

  @Option(
      names = "--distribution",
      defaultValue = "ZIPFIAN",
      description = "${COMPLETION-CANDIDATES}")
  private Distribution distribution = Distribution.ZIPFIAN;

  @Option(names = "--records", defaultValue = "2000000", description = "different keys")
  private long records;

  @Option(names = "--operations", defaultValue = "5000000", description = "cells added")
  private int operations;

  @Option(names = "--key-length", defaultValue = "24", description = "bytes of a key")
  private int keyLength;

  @Option(names = "--value-length", defaultValue = "100", description = "bytes of a value")
  private int valueLength;

  @Option(names = "--batch", defaultValue = "100", description = "cells added at once, sorted")
  private int batch;

  @Option(names = "--threads", defaultValue = "1", description = "threads that add")
  private int threads;

  @Option(
      names = "--memory",
      defaultValue = "128",
      description = "MB at which the store is emptied")
  private long memoryMegabytes;

  @Option(
      names = "--rate",
      defaultValue = "0",
      description = "cells added a second at most (default: as many as possible)")
  private long rate;

  @Option(names = "--reads", defaultValue = "500000", description = "gets of each kind")
  private int reads;

  @Mixin private PageFlags page = new PageFlags();

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    Limits.check("--rounds", rounds, 1, 1000);
    Limits.check("--records", records, 1, Integer.MAX_VALUE);
    Limits.check("--operations", operations, 1, Integer.MAX_VALUE);
    Limits.check("--key-length", keyLength, Rows.KEY_BYTES_MIN, Short.MAX_VALUE);
    Limits.check("--value-length", valueLength, 1, 1 << 20);
    Limits.check("--batch", batch, 1, 1 << 20);
    Limits.check("--threads", threads, 1, 1024);
    Limits.check("--memory", memoryMegabytes, 1, 1 << 20);
    Limits.check("--rate", rate, 0, 1L << 40);
    Limits.check("--reads", reads, 1, Integer.MAX_VALUE);
    for (String variant : variants) {
      // Each is checked before the first one runs.
      MemStoreBenchOptions unused = options(variant);
    }
    page.check();
    Map<String, List<MemStoreFigures>> runs =
        variants.size() == 1 && rounds == 1
            ? Map.of(variants.get(0), List.of(MemStoreBench.run(options(variants.get(0)))))
            : runByTurns();
    print(runs);
    OverTimeCharts overTime = overTime(runs);
    page.write(html(runs, overTime), folder -> overTime.write(folder, "memstore"));
    return 0;
  }

  private Map<String, List<MemStoreFigures>> runByTurns() throws IOException, InterruptedException {
    Map<String, List<MemStoreFigures>> runs = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (String variant : variants) {
        System.err.printf("round %d of %d: %s%n", round + 1, rounds, variant);
        Report report = Json.read(ChildProcess.run(arguments(variant)), Report.class);
        runs.computeIfAbsent(variant, name -> new ArrayList<>())
            .addAll(report.runs().getOrDefault(variant, List.of()));
      }
    }
    return runs;
  }

  private static OverTimeCharts overTime(Map<String, List<MemStoreFigures>> runs) {
    OverTimeCharts charts = new OverTimeCharts("batches added to a memory store");
    runs.forEach(
        (variant, figures) -> {
          List<MemStoreFigures> sorted = new ArrayList<>(figures);
          sorted.sort(Comparator.comparingDouble(MemStoreFigures::putsPerSecond));
          charts.add(variant, sorted.get(sorted.size() / 2).batchesOverTime());
        });
    return charts;
  }

  private HtmlReport html(Map<String, List<MemStoreFigures>> runs, OverTimeCharts overTime) {
    HtmlReport report = new HtmlReport("Memory stores");
    report.lines(List.of(PageFlags.commandLine(spec))).lines(Machine.lines());
    report.heading("Medians").lines(lines(runs));
    report.heading("Batches over time");
    overTime.show(report);
    return report;
  }

  /** The fields of the JSON output. */
  record Report(Map<String, List<MemStoreFigures>> runs) {}

  private MemStoreBenchOptions options(String variant) {
    MemStoreVariant parsed = MemStoreVariant.parse(variant);
    return new MemStoreBenchOptions(
        new MemStorePolicy(
            parsed.policy(), activeFraction, pipelineSegments, threshold, mergeSchedule),
        parsed.layout(),
        distribution,
        records,
        operations,
        keyLength,
        valueLength,
        batch,
        threads,
        memoryMegabytes << 20,
        rate,
        reads);
  }

  private List<String> arguments(String variant) {
    return List.of(
        "bench",
        "memstore",
        "--variants=" + variant,
        "--rounds=1",
        "--json",
        "--active-fraction=" + activeFraction,
        "--pipeline-segments=" + pipelineSegments,
        "--threshold=" + threshold,
        "--merge-schedule=" + mergeSchedule,
        "--distribution=" + distribution,
        "--records=" + records,
        "--operations=" + operations,
        "--key-length=" + keyLength,
        "--value-length=" + valueLength,
        "--batch=" + batch,
        "--threads=" + threads,
        "--memory=" + memoryMegabytes,
        "--rate=" + rate,
        "--reads=" + reads);
  }

  private void print(Map<String, List<MemStoreFigures>> runs) throws IOException {
    if (json) {
      spec.commandLine().getOut().println(Json.write(new Report(runs)));
    } else {
      lines(runs).forEach(spec.commandLine().getOut()::println);
    }
  }

  /** A figure with its place in the table. */
  private record Column(String title, String format, ToDoubleFunction<MemStoreFigures> figure) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("p99 µs", "%,8.1f", figures -> figures.batchMicros().p99()),
          new Column("longest µs", "%,10.0f", figures -> figures.batchMicros().max()),
          new Column("absorbed", "%,12.0f", MemStoreFigures::absorbed),
          new Column("B over", "%8.1f", MemStoreFigures::overheadBytes),
          new Column("B heap", "%8.1f", MemStoreFigures::heapBytesPerPut),
          new Column("GC %", "%6.1f", figures -> 100 * figures.gcShare()),
          new Column("dropped %", "%9.1f", figures -> 100 * figures.eliminatedShare()),
          new Column("peak MB", "%8.0f", figures -> figures.peakMemoryBytes() / 1e6),
          new Column("segments", "%8.0f", MemStoreFigures::segments));

  private static final List<Column> RATES =
      List.of(
          new Column("puts/s", "%,12.0f", MemStoreFigures::putsPerSecond),
          new Column("hits/s", "%,12.0f", MemStoreFigures::hitsPerSecond),
          new Column("misses/s", "%,12.0f", MemStoreFigures::missesPerSecond),
          new Column("scans/s", "%,12.0f", MemStoreFigures::scansPerSecond));

  private List<String> lines(Map<String, List<MemStoreFigures>> runs) {
    List<String> lines = new ArrayList<>();
    StringBuilder title = new StringBuilder(format("%-28s", "variant"));
    RATES.forEach(rate -> title.append(format("%12s %5s", rate.title(), "ratio")));
    COLUMNS.forEach(column -> title.append(format("%" + width(column) + "s", column.title())));
    lines.add(title.toString());
    List<MemStoreFigures> baseline = runs.values().iterator().next();
    runs.forEach(
        (variant, figures) -> {
          StringBuilder line = new StringBuilder(format("%-28s", variant));
          for (Column rate : RATES) {
            double median = median(figures, rate.figure());
            line.append(format(rate.format(), median));
            line.append(format(" %5.2f", median / median(baseline, rate.figure())));
          }
          for (Column column : COLUMNS) {
            line.append(
                format(
                    "%" + width(column) + "s",
                    format(column.format(), median(figures, column.figure())).strip()));
          }
          lines.add(line.toString());
        });
    return lines;
  }

  private static int width(Column column) {
    return column.title().length() + 4;
  }

  private static double median(
      List<MemStoreFigures> figures, ToDoubleFunction<MemStoreFigures> figure) {
    double[] sorted = figures.stream().mapToDouble(figure).toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
