// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.demo.Demo;
import io.accordiondb.bench.demo.DemoTable;
import io.accordiondb.bench.demo.PolicyFigures;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.Json;
import io.accordiondb.memstore.Policy;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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
            + "costs, then opens the stores again and verifies every row.")
final class DemoCommand implements Callable<Integer> {
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

  @Override
  public Integer call() throws Exception {
    Limits.check("--operations", operations, 1, Integer.MAX_VALUE);
    OutputPlace.checkExistingFolder(directory);
    Demo demo = new Demo(Demo.paperWorkload(directory, operations), System.err);
    List<PolicyFigures> figures = new ArrayList<>();
    for (Policy policy : List.of(Policy.NONE, Policy.ADAPTIVE)) {
      figures.add(demo.run(policy));
    }
    PrintWriter out = spec.commandLine().getOut();
    long verified = figures.stream().mapToLong(PolicyFigures::rowsVerified).sum();
    if (json) {
      out.println(
          Json.write(new Fields().with("policies", figures).with("rowsVerified", verified).map()));
    } else {
      DemoTable.lines(figures).forEach(out::println);
      out.printf("verified %d rows%n", verified);
    }
    return 0;
  }
}
