// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.LatencyColumns;
import io.accordiondb.bench.Progress;
import io.accordiondb.bench.QueueBench;
import io.accordiondb.bench.TemporaryFolder;
import io.accordiondb.bench.report.ReportTable;
import io.accordiondb.cli.text.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code accordion bench queue}. */
@Command(
    name = "queue",
    mixinStandardHelpOptions = true,
    description = {
      "Measures a queue: appends at one end, reads and deletes at the other, by key and by range.",
      "Prints by part, which must not become slower, the rate, the mean time to find the first",
      "entry, and percentiles of the time of an operation, which appends, reads and deletes."
    })
final class QueueCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--operations",
      defaultValue = "10000000",
      description = "entries that pass the queue (default: ${DEFAULT-VALUE})")
  private long operations;

  @Option(
      names = "--length",
      defaultValue = "1000",
      description = "entries that wait in the queue (default: ${DEFAULT-VALUE})")
  private int length;

  @Option(
      names = "--parts",
      defaultValue = "10",
      description = "parts of which each has a line (default: ${DEFAULT-VALUE})")
  private int parts;

  @Option(
      names = "--field-length",
      defaultValue = "100",
      description = "bytes of a value (default: ${DEFAULT-VALUE})")
  private int valueBytes;

  @Option(
      names = "--memory",
      defaultValue = "128",
      description = "MB of memory for writes (default: ${DEFAULT-VALUE})")
  private long memoryMegabytes;

  @Option(
      names = "--flushed",
      description = "begin with the waiting entries in a file, as after a restart")
  private boolean flushed;

  @Option(names = "--deletion", description = "KEY or RANGE (default: both, one after the other)")
  private QueueBench.@Nullable Deletion deletion;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Limits.check("--operations", operations, 1, Integer.MAX_VALUE);
    Limits.check("--length", length, 1, 100_000_000);
    Limits.check("--parts", parts, 1, operations);
    Limits.check("--field-length", valueBytes, 1, 1 << 20);
    Limits.check("--memory", memoryMegabytes, 1, 1 << 20);
    List<QueueBench.Deletion> deletions =
        deletion == null ? List.of(QueueBench.Deletion.values()) : List.of(deletion);
    QueueBench.Options options =
        new QueueBench.Options(
            operations, length, parts, valueBytes, memoryMegabytes << 20, flushed);
    Map<String, List<QueueBench.Part>> results = new LinkedHashMap<>();
    for (QueueBench.Deletion each : deletions) {
      try (TemporaryFolder folder = TemporaryFolder.create("bench");
          Progress progress = new Progress(System.err, "queue " + each, operations, () -> "")) {
        results.put(
            each.name(),
            new QueueBench(options, progress).run(folder.path().resolve("queue"), each));
      }
    }
    print(results);
    return 0;
  }

  private void print(Map<String, List<QueueBench.Part>> results) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(results));
      return;
    }
    ReportTable table =
        new ReportTable(
            LatencyColumns.between(
                List.of("deletion", "operations", "rate /s", "first µs"),
                LatencyColumns.TITLES,
                List.of()));
    results.forEach((name, measured) -> measured.forEach(part -> table.row(row(name, part))));
    table.lines().forEach(out::println);
  }

  private static List<String> row(String deletion, QueueBench.Part part) {
    return LatencyColumns.between(
        List.of(
            deletion,
            String.format(Locale.ROOT, "%,d", part.operations()),
            String.format(Locale.ROOT, "%,.0f", part.ratePerSecond()),
            String.format(Locale.ROOT, "%.2f", part.firstMicros())),
        LatencyColumns.cells(part.latencyMicros()),
        List.of());
  }
}
