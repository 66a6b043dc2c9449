// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import io.accordiondb.bench.LatencyColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares state stores of Kafka Streams: the command {@code bench streams}. */
@Command(
    name = "accordion bench streams",
    mixinStandardHelpOptions = true,
    description = {
      "Measures topologies of Kafka Streams with Accordion and with RocksDB,",
      "on a broker of its own, each run in a process of its own."
    })
public final class StreamsBench implements Callable<Integer> {
  /** Kafka's producers and brokers take requests of a mebibyte. */
  private static final int VALUE_BYTES_MAX = 1_000_000;

  @Option(names = "--records", description = "records to process (default: ${DEFAULT-VALUE})")
  private long records = 1_000_000;

  @Option(names = "--words", description = "different keys (default: ${DEFAULT-VALUE})")
  private int words = 1_000_000;

  @Option(names = "--value-bytes", description = "length of a value (default: ${DEFAULT-VALUE})")
  private int valueBytes = 100;

  @Option(
      names = "--partitions",
      description = "partitions of the input, and so tasks (default: ${DEFAULT-VALUE})")
  private int partitions = 4;

  @Option(names = "--threads", description = "stream threads (default: ${DEFAULT-VALUE})")
  private int threads = 2;

  @Option(
      names = "--cache-mib",
      description = "Kafka's record cache, for all threads (default: ${DEFAULT-VALUE})")
  private int cacheMib = 10;

  @Option(names = "--heap-mib", description = "heap of a run (default: ${DEFAULT-VALUE})")
  private int heapMib = 512;

  @Option(
      names = "--rounds",
      description =
          "how often each workload runs, on all engines in turn (default: ${DEFAULT-VALUE})")
  private int rounds = 1;

  @Option(
      names = "--workloads",
      split = ",",
      description = "${COMPLETION-CANDIDATES} (default: all)")
  private List<StreamsWorkload> workloads = List.of(StreamsWorkload.values());

  @Option(names = "--json", description = "print one JSON object for each run, instead of a table")
  private boolean json;

  @Mixin private EngineOptions options = new EngineOptions();

  @Spec private @Nullable CommandSpec command;

  /** Made by {@link #main}. */
  StreamsBench() {}

  /** Runs the command. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new StreamsBench())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    check(Objects.requireNonNull(command));
    try (WorkFolder work = WorkFolder.create();
        Broker broker = Broker.start(work.path().resolve("broker"))) {
      broker.createTopic(StreamsWorkload.INPUT, partitions);
      broker.createTopic(StreamsWorkload.OUTPUT, partitions);
      StreamsInput.write(broker.address(), records, words, valueBytes);
      if (!json) {
        printHeader();
      }
      for (StreamsWorkload workload : workloads) {
        for (int round = 0; round < rounds; round++) {
          for (StreamsEngine engine : options.engines()) {
            print(run(broker, work.path(), workload, engine, round));
          }
        }
      }
      return 0;
    }
  }

  private void printHeader() {
    System.out.printf(
        Locale.ROOT,
        "%,d records of %d bytes, %,d keys by Zipf's law, %d partitions, %d threads,"
            + " budget %d MiB, record cache %d MiB, heap %d MiB%n",
        records,
        valueBytes,
        words,
        partitions,
        threads,
        options.memoryMib(),
        cacheMib,
        heapMib);
    System.out.println(
        line(
            LatencyColumns.between(
                List.of("workload", "engine", "records/s", "2nd half"),
                LatencyColumns.TITLES,
                List.of("restored/s", "memory MB", "written MB"))));
  }

  private void check(CommandSpec checked) {
    options.check(checked);
    // The second half of the records is measured by itself.
    EngineOptions.requireWithin(checked, "--records", records, 2, Long.MAX_VALUE);
    EngineOptions.requireWithin(checked, "--words", words, 1, Integer.MAX_VALUE);
    EngineOptions.requireWithin(checked, "--value-bytes", valueBytes, 1, VALUE_BYTES_MAX);
    EngineOptions.requireWithin(checked, "--partitions", partitions, 1, Integer.MAX_VALUE);
    EngineOptions.requireWithin(checked, "--threads", threads, 1, Integer.MAX_VALUE);
    EngineOptions.requireWithin(checked, "--cache-mib", cacheMib, 0, Integer.MAX_VALUE);
    EngineOptions.requireWithin(checked, "--heap-mib", heapMib, 1, Integer.MAX_VALUE);
    EngineOptions.requireWithin(checked, "--rounds", rounds, 1, Integer.MAX_VALUE);
  }

  private StreamsResult run(
      Broker broker, Path folder, StreamsWorkload workload, StreamsEngine engine, int round)
      throws IOException, InterruptedException {
    // Also the name of the application, which has processed nothing yet.
    String application = workload + "-" + engine + "-" + round;
    String[] arguments =
        StreamsRun.arguments(
            workload,
            engine,
            broker.address(),
            folder.resolve(application),
            records,
            options.memoryBytes(),
            (long) cacheMib << 20,
            threads);
    List<String> jvmOptions = List.of("-Xmx" + heapMib + "m", "-XX:MaxDirectMemorySize=1g");
    return StreamsResult.parse(
        MeasuredProcess.run(
            folder.resolve(application + ".log"), jvmOptions, StreamsRun.class, arguments));
  }

  private void print(StreamsResult result) throws IOException {
    System.out.println(json ? result.json() : line(result));
  }

  /** Returns a line of the table, which is printed while later runs are still to come. */
  static String line(StreamsResult result) {
    return line(
        LatencyColumns.between(
            List.of(
                result.workload(),
                result.engine(),
                format("%,.0f", result.recordsPerSecond()),
                format("%,.0f", result.warmRecordsPerSecond())),
            LatencyColumns.cells(result.latencyMicros()),
            List.of(
                format("%,.0f", result.restoredPerSecond()),
                format("%,.0f", result.memoryBytes() / 1e6),
                format("%,.0f", result.writtenBytes() / 1e6))));
  }

  private static String line(List<String> cells) {
    return String.format(
        "%-20s %-16s %10s %10s %8s %8s %8s %9s %10s %11s %9s %10s", cells.toArray());
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }

  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
