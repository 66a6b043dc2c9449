// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.OpenBench;
import io.accordiondb.bench.OpenBenchOptions;
import io.accordiondb.bench.OpenFigures;
import io.accordiondb.bench.Progress;
import io.accordiondb.bench.TemporaryFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code accordion bench open}. */
@Command(
    name = "open",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how long opening takes: of a store that was closed, of one with many regions,",
      "and of one that was killed, whose log is replayed. Medians are printed."
    })
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
    check("--records", records);
    check("--regions", regions);
    check("--log-records", logRecords);
    check("--field-length", valueBytes);
    check("--memory", memoryMegabytes);
    check("--rounds", rounds);
    OpenBenchOptions options =
        new OpenBenchOptions(
            records, regions, logRecords, valueBytes, memoryMegabytes << 20, rounds);
    Path folder = Files.createTempDirectory("accordion-bench-");
    OpenFigures figures;
    try (Progress progress = new Progress(System.err, "load", records + logRecords, () -> "")) {
      figures = new OpenBench(options, progress).run(folder);
    } finally {
      TemporaryFolder.delete(folder);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(figures));
    } else {
      ResultText.lines(figures).forEach(out::println);
    }
    return 0;
  }

  private void check(String name, long value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(), name + " is " + value + ", expected 1 or more");
    }
  }
}
