// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.BenchOptions.Workload;
import io.accordiondb.bench.BenchResult;
import io.accordiondb.bench.Comparison;
import io.accordiondb.bench.engine.Engines;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code accordion bench compare}. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Runs engines by turns, each run in a process of its own, and prints medians and ratios.",
      "The last engine named is the baseline."
    })
final class CompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private BenchFlags flags = new BenchFlags();

  @Option(names = "--workload", defaultValue = "WRITE", description = "${COMPLETION-CANDIDATES}")
  private Workload workload = Workload.WRITE;

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
    if (rounds < 1) {
      throw new ParameterException(
          spec.commandLine(), "--rounds is " + rounds + ", expected 1 or more");
    }
    for (String engine : engines) {
      if (!Engines.isKnown(engine)) {
        throw new ParameterException(
            spec.commandLine(),
            "no engine named \"" + engine + "\"; there are " + String.join(", ", Engines.NAMES));
      }
    }
    List<Comparison.Row> rows = Comparison.run(engines, rounds, this::runInProcess);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(Map.of("workload", workload, "engines", rows)));
    } else {
      ResultText.lines(rows).forEach(out::println);
    }
    return 0;
  }

  private BenchResult runInProcess(String engine, int round) throws IOException {
    System.err.printf("round %d of %d: %s%n", round + 1, rounds, engine);
    List<String> arguments = new ArrayList<>();
    arguments.add("bench");
    arguments.add(workload.name().toLowerCase(Locale.ROOT));
    arguments.add("--engine=" + engine);
    arguments.add("--json");
    arguments.addAll(flags.arguments());
    return Json.read(ChildProcess.run(arguments), BenchResult.class);
  }
}
