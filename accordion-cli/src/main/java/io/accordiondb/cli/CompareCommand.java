// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.BenchOptions;
import io.accordiondb.bench.BenchOptions.Workload;
import io.accordiondb.bench.BenchResult;
import io.accordiondb.bench.Comparison;
import io.accordiondb.bench.ComparisonReport;
import io.accordiondb.bench.Progress;
import io.accordiondb.bench.WorkloadCase;
import io.accordiondb.bench.engine.Engines;
import io.accordiondb.cli.text.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code accordion bench compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description =
        "Alternates between engines, each run in a process of its own, and prints medians "
            + "and ratios. The last engine named is the baseline; one that cannot be used "
            + "here is skipped. If a run fails, its engine is left out from then on, and the "
            + "exit code is 1. Unless ACCORDION_HEAP says otherwise, each process has the "
            + "same Java heap: the memory for writes, the block cache and 256 MB; with an "
            + "engine of HBase's, whose stores outgrow that memory, five times the memory for "
            + "writes, the block cache and 512 MB. Of the megabytes that are printed, tables are "
            + "those of flushes and compactions, and written are those that reached the device.")
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private BenchFlags flags = new BenchFlags();

  @Mixin private PageFlags page = new PageFlags();

  @ArgGroup(exclusive = true)
  private Work work = new Work();

  /** The workloads to run: one as the flags say, or several that change the flags. */
  static final class Work {
    @Option(
        names = "--workload",
        paramLabel = "WORKLOAD",
        description = "${COMPLETION-CANDIDATES}: one, as the other flags say (default write)")
    private Workload workload = Workload.WRITE;

    @Option(
        names = "--workloads",
        paramLabel = "WORKLOAD",
        split = ",",
        description =
            "several of ${COMPLETION-CANDIDATES}, each with its own distribution; "
                + "--operations counts for writes and put, read and mixed do 1/4 of it, scan "
                + "1/128; so does --warmup")
    private List<WorkloadCase> cases = List.of();
  }

  @Option(
      names = "--engines",
      split = ",",
      defaultValue = "accordion,rocksdb",
      completionCandidates = BenchCommand.EngineNames.class,
      description = "two or more of ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private List<String> engines = List.of();

  @Option(names = "--rounds", defaultValue = "3", description = "runs of each engine")
  private int rounds;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    checkBeforeTheFirstRun();
    PrintWriter out = spec.commandLine().getOut();
    List<Comparison> comparisons = new ArrayList<>();
    for (Map.Entry<String, List<String>> runnable : workloads().entrySet()) {
      Comparison comparison = compare(runnable.getKey(), runnable.getValue());
      comparisons.add(comparison);
      if (!json) {
        ComparisonReport.lines(comparison).forEach(out::println);
        out.println();
        out.flush();
      }
    }
    ComparisonReport report = new ComparisonReport(comparisons);
    if (json) {
      out.println(Json.write(report));
    } else {
      report.summary().forEach(out::println);
    }
    page.write(report.html(PageFlags.commandLine(spec)), report::writeCharts);
    return comparisons.stream().allMatch(comparison -> comparison.failed().isEmpty()) ? 0 : 1;
  }

  /** Finds what is wrong with the options before hours are spent on measuring. */
  private void checkBeforeTheFirstRun() throws IOException {
    Limits.check("--rounds", rounds, 1, 1000);
    BenchOptions unused = flags.options(work.workload, "", Path.of(""));
    for (String engine : engines) {
      if (!Engines.isKnown(engine)) {
        throw new IllegalArgumentException(
            "no engine named \"" + engine + "\"; there are " + String.join(", ", Engines.NAMES));
      }
    }
    if (Set.copyOf(engines).size() < engines.size()) {
      throw new IllegalArgumentException("--engines names an engine twice: " + engines);
    }
    page.check();
  }

  private Comparison compare(String workload, List<String> arguments) {
    return Comparison.run(
        workload,
        engines,
        rounds,
        (engine, round) -> runInProcess(workload, arguments, engine, round));
  }

  /** Returns the arguments of each workload's runs by its name. */
  private Map<String, List<String>> workloads() {
    Map<String, List<String>> workloads = new LinkedHashMap<>();
    if (work.cases.isEmpty()) {
      workloads.put(word(work.workload), arguments(work.workload, flags.arguments()));
    }
    for (WorkloadCase each : work.cases) {
      workloads.put(each.toString(), arguments(each.workload(), flags.arguments(each)));
    }
    return workloads;
  }

  private static List<String> arguments(Workload workload, List<String> settings) {
    List<String> arguments = new ArrayList<>(List.of("bench", word(workload), "--json"));
    arguments.addAll(settings);
    return arguments;
  }

  private static String word(Workload workload) {
    return workload.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private BenchResult runInProcess(String name, List<String> arguments, String engine, int round)
      throws IOException {
    System.err.printf("%s, round %d of %d: %s%n", name, round + 1, rounds, engine);
    List<String> all = new ArrayList<>(arguments);
    all.add("--engine=" + engine);
    List<String> heap =
        System.getenv("ACCORDION_HEAP") == null
            ? List.of("-Xmx" + flags.heapMegabytes(engines) + "m")
            : List.of();
    return Json.read(ChildProcess.run(heap, all, Progress.relay(System.err)), BenchResult.class);
  }
}
