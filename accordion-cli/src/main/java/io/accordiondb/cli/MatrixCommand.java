// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.BenchResult;
import io.accordiondb.bench.Comparison;
import io.accordiondb.bench.Progress;
import io.accordiondb.bench.Regime;
import io.accordiondb.bench.RegimeReport;
import io.accordiondb.bench.engine.Engines;
import io.accordiondb.cli.text.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code accordion bench matrix}. */
@Command(
    name = "matrix",
    mixinStandardHelpOptions = true,
    description =
        "Compares Accordion with another engine in all regimes, and prints one matrix: "
            + "rates, their ratio and its goal, latencies, memory and bytes "
            + "written. Runs take turns, each in a process of its own; one round takes about "
            + "half an hour. If a run fails, the exit code is 1.")
final class MatrixCommand implements Callable<Integer> {
  private static final String ENGINE = "accordion";

  /** Heap of each process; with it, direct memory for writes and blocks. */
  private static final String HEAP = "-Xmx512m";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private PageFlags page = new PageFlags();

  @Option(
      names = "--baseline",
      defaultValue = "rocksdb",
      completionCandidates = BenchCommand.EngineNames.class,
      description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private String baseline = "rocksdb";

  @Option(
      names = "--regimes",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "only those whose title contains the text, such as \"16 MB\"")
  private String regimes = "";

  @Option(names = "--rounds", defaultValue = "1", description = "runs of each engine")
  private int rounds;

  @Option(
      names = "--share",
      defaultValue = "1",
      description = "how many of the operations are done, more than 0 and up to 10: less is faster")
  private double share;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<Regime> chosen = checkBeforeTheFirstRun();
    PrintWriter out = spec.commandLine().getOut();
    List<RegimeReport.Row> rows = new ArrayList<>();
    for (Regime regime : chosen) {
      Comparison comparison =
          Comparison.run(
              regime.title(),
              List.of(ENGINE, baseline),
              rounds,
              (engine, round) -> runInProcess(regime, engine, round));
      rows.add(new RegimeReport.Row(regime, comparison));
      comparison.failed().forEach((engine, why) -> System.err.println(engine + ": " + why));
      comparison.skipped().forEach((engine, why) -> System.err.println(engine + ": " + why));
    }
    RegimeReport report = new RegimeReport(ENGINE, baseline, rows);
    if (json) {
      out.println(Json.write(report));
    } else {
      report.table().lines().forEach(out::println);
      out.println(report.summary());
      out.println();
      report.latencies().lines().forEach(out::println);
    }
    page.write(report.html(PageFlags.commandLine(spec)), report::writeCharts);
    return rows.stream().allMatch(row -> row.comparison().failed().isEmpty()) ? 0 : 1;
  }

  private List<Regime> checkBeforeTheFirstRun() throws IOException {
    Limits.check("--rounds", rounds, 1, 1000);
    if (!(share > 0 && share <= 10)) {
      throw new IllegalArgumentException(
          "--share is " + share + ", expected more than 0, up to 10");
    }
    if (!Engines.isKnown(baseline) || baseline.equals(ENGINE)) {
      throw new IllegalArgumentException(
          "--baseline is \""
              + baseline
              + "\", expected another engine of "
              + String.join(", ", Engines.NAMES));
    }
    String wanted = regimes.toLowerCase(Locale.ROOT);
    List<Regime> chosen =
        Regime.ALL.stream()
            .filter(regime -> regime.title().toLowerCase(Locale.ROOT).contains(wanted))
            .toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "--regimes is \""
              + regimes
              + "\", which none of these contains: "
              + String.join("; ", Regime.ALL.stream().map(Regime::title).toList()));
    }
    page.check();
    return chosen;
  }

  private BenchResult runInProcess(Regime regime, String engine, int round) throws IOException {
    System.err.printf("%s, round %d of %d: %s%n", regime.title(), round + 1, rounds, engine);
    List<String> arguments = new ArrayList<>(regime.arguments(share));
    arguments.add("--engine=" + engine);
    return Json.read(
        ChildProcess.run(List.of(HEAP), arguments, Progress.relay(System.err)), BenchResult.class);
  }
}
