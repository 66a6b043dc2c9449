// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.demo.Demo;
import io.accordiondb.bench.demo.DemoTable;
import io.accordiondb.bench.demo.PolicyFigures;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Json;
import io.accordiondb.dashboard.Dashboard;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code accordion demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Writes the paper's workload (2M rows of 4 x 25 bytes, YCSB's zipfian, batches "
            + "of 10 KB, asynchronous log) under NONE and under ADAPTIVE, shows what each "
            + "costs, then opens the stores again and verifies every row. With --dashboard "
            + "both stores are written at the same time, and a page in the browser shows "
            + "them side by side.")
final class DemoCommand implements Callable<Integer> {
  private static final List<Policy> POLICIES = List.of(Policy.NONE, Policy.ADAPTIVE);

  /** At this rate the run takes a minute, and eyes can follow it. */
  private static final long WATCHABLE_RATE = 40_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--operations",
      defaultValue = "2000000",
      description = "rows written under each policy (default ${DEFAULT-VALUE})")
  private long operations;

  @Option(names = "--dir", description = "folder for the temporary stores (default: the system's)")
  private Path directory = Path.of(System.getProperty("java.io.tmpdir", "."));

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Option(
      names = "--write-rate",
      description =
          "rows a second that are written at most with --dashboard (default 40000; 0 for as many "
              + "as there can be)")
  private @Nullable Long writeRate;

  @Mixin private DashboardFlags dashboard = new DashboardFlags();

  @Override
  public Integer call() throws Exception {
    Limits.check("--operations", operations, 1, Integer.MAX_VALUE);
    OutputPlace.checkExistingFolder(directory);
    if (writeRate != null) {
      Limits.check("--write-rate", writeRate, 0, 1L << 40);
      if (!dashboard.isWanted()) {
        throw new IllegalArgumentException("--write-rate needs --dashboard");
      }
    }
    Demo demo = new Demo(Demo.paperWorkload(directory, operations), System.err);
    if (!dashboard.isWanted()) {
      List<PolicyFigures> figures = new ArrayList<>();
      for (Policy policy : POLICIES) {
        figures.add(demo.run(policy));
      }
      print(figures);
      return 0;
    }
    try (Dashboard page = dashboard.start(spec.commandLine().getErr())) {
      print(
          demo.run(
              POLICIES,
              writeRate == null ? WATCHABLE_RATE : writeRate,
              (policy, database) -> page.show(policy.name(), database::statistics)));
      dashboard.awaitReader(spec.commandLine().getErr());
    }
    return 0;
  }

  private void print(List<PolicyFigures> figures) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    long verified = figures.stream().mapToLong(PolicyFigures::rowsVerified).sum();
    if (json) {
      out.println(
          Json.write(new Fields().with("policies", figures).with("rowsVerified", verified).map()));
    } else {
      DemoTable.lines(figures).forEach(out::println);
      out.printf(Locale.ROOT, "verified %d rows%n", verified);
    }
  }
}
