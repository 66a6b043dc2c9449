// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.Distribution;
import io.accordiondb.bench.OverTimeCharts;
import io.accordiondb.bench.Rows;
import io.accordiondb.bench.memstore.MemStoreBench;
import io.accordiondb.bench.memstore.MemStoreBenchOptions;
import io.accordiondb.bench.memstore.MemStoreFigures;
import io.accordiondb.bench.memstore.MemStoreTables;
import io.accordiondb.bench.memstore.MemStoreVariant;
import io.accordiondb.bench.report.HtmlReport;
import io.accordiondb.bench.report.Machine;
import io.accordiondb.cli.text.Json;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MergeSchedule;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
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

  @Option(
      names = "--operations",
      defaultValue = "5000000",
      description = "cells added, in whole batches: at least one")
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
    Limits.check("--key-length", keyLength, Rows.KEY_BYTES_MIN, Short.MAX_VALUE);
    Limits.check("--value-length", valueLength, 1, 1 << 20);
    Limits.check("--batch", batch, 1, 1 << 20);
    // Fewer would be no batch, and so no row to read.
    Limits.check("--operations", operations, batch, Integer.MAX_VALUE);
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
    MemStoreTables tables = new MemStoreTables(runs);
    report.heading("Medians").table(tables.rates()).table(tables.batches());
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
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(new Report(runs)));
      return;
    }
    MemStoreTables tables = new MemStoreTables(runs);
    tables.rates().lines().forEach(out::println);
    out.println();
    tables.batches().lines().forEach(out::println);
  }
}
