// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.OpenBench;
import io.accordiondb.bench.OpenBenchOptions;
import io.accordiondb.bench.OpenFigures;
import io.accordiondb.bench.Progress;
import io.accordiondb.bench.TemporaryFolder;
import io.accordiondb.cli.text.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code accordion bench open}. */
@Command(
    name = "open",
    mixinStandardHelpOptions = true,
    description =
        "Measures how long opening takes: of a store that was closed, of one with many "
            + "regions, and of one that was killed, whose log is replayed. Percentiles of the "
            + "--rounds openings are printed.")
final class OpenCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--records", defaultValue = "10000000", description = "rows of the closed store")
  private long records;

  @Option(names = "--regions", defaultValue = "1000", description = "regions of the second store")
  private int regions;

  @Option(names = "--log-records", defaultValue = "2000000", description = "rows in the log")
  private long logRecords;

  @Option(names = "--field-length", defaultValue = "100", description = "bytes of a value")
  private int valueBytes;

  @Option(names = "--memory", defaultValue = "1024", description = "MB of memory for writes")
  private long memoryMegabytes;

  @Option(names = "--rounds", defaultValue = "5", description = "openings of each store")
  private int rounds;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Limits.check("--records", records, 1, Integer.MAX_VALUE);
    Limits.check("--regions", regions, 1, 100_000);
    Limits.check("--log-records", logRecords, 1, Integer.MAX_VALUE);
    Limits.check("--field-length", valueBytes, 1, 1 << 20);
    Limits.check("--memory", memoryMegabytes, 1, 1 << 20);
    Limits.check("--rounds", rounds, 1, 1000);
    OpenBenchOptions options =
        new OpenBenchOptions(
            records, regions, logRecords, valueBytes, memoryMegabytes << 20, rounds);
    OpenFigures figures;
    try (TemporaryFolder folder = TemporaryFolder.create("bench");
        Progress progress = new Progress(System.err, "load", records + logRecords, () -> "")) {
      figures = new OpenBench(options, progress).run(folder.path());
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(figures));
    } else {
      ResultText.lines(figures).forEach(out::println);
    }
    return 0;
  }
}
