// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

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

/**
 * Measures the memory of state stores by the number of tasks: the command {@code bench
 * streams-memory}.
 */
@Command(
    name = "accordion bench streams-memory",
    mixinStandardHelpOptions = true,
    description = {
      "Measures by how much a process with state stores of Kafka Streams grows outside",
      "its heap, by engine and number of tasks. The records are the same, whatever the",
      "number of tasks. Each run has a process of its own, without a broker."
    })
public final class StreamsMemoryBench implements Callable<Integer> {
  /** Records of the run that shows what a process needs besides its data. */
  private static final int FIXED_RECORDS = 1_000;

  private static final double MIB = 1 << 20;

  @Option(names = "--tasks", split = ",", description = "numbers of tasks (default: 1,50,200)")
  private List<Integer> tasks = List.of(1, 50, 200);

  @Option(
      names = "--records",
      description = "records written, to two stores each (default: ${DEFAULT-VALUE})")
  private long records = 2_000_000;

  @Option(names = "--value-bytes", description = "length of a value (default: ${DEFAULT-VALUE})")
  private int valueBytes = 200;

  @Option(names = "--heap-mib", description = "heap of a run (default: ${DEFAULT-VALUE})")
  private int heapMib = 256;

  @Mixin private EngineOptions options = new EngineOptions();

  @Spec private @Nullable CommandSpec command;

  /** Made by {@link #main}. */
  StreamsMemoryBench() {}

  /** Runs the command. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new StreamsMemoryBench())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    check(Objects.requireNonNull(command));
    System.out.printf(
        Locale.ROOT,
        "%,d records with values of %d bytes, each to a table and to windows, budget %d MiB,"
            + " heap %d MiB%n",
        records,
        valueBytes,
        options.memoryMib(),
        heapMib);
    System.out.println(
        "Growth of the process outside its heap; fixed: of a process with one task and "
            + FIXED_RECORDS
            + " records, subtracted from the others");
    System.out.printf(
        "%-16s %6s %10s %10s %10s %12s %10s%n",
        "engine", "tasks", "fixed MiB", "peak MiB", "end MiB", "peak/budget", "heap MiB");
    for (StreamsEngine engine : options.engines()) {
      MemoryGrowth fixed = run(engine, 1, FIXED_RECORDS);
      for (int number : tasks) {
        print(engine, number, fixed, run(engine, number, records));
      }
    }
    return 0;
  }

  private void check(CommandSpec checked) {
    options.check(checked);
    for (int number : tasks) {
      EngineOptions.requireWithin(checked, "--tasks", number, 1, Integer.MAX_VALUE);
    }
    EngineOptions.requireWithin(checked, "--records", records, 1, Long.MAX_VALUE);
    EngineOptions.requireWithin(
        checked, "--value-bytes", valueBytes, 1, StreamsMemoryRun.VALUE_BYTES_MAX);
    EngineOptions.requireWithin(checked, "--heap-mib", heapMib, 1, Integer.MAX_VALUE);
  }

  private MemoryGrowth run(StreamsEngine engine, int number, long written)
      throws IOException, InterruptedException {
    try (WorkFolder work = WorkFolder.create()) {
      Path folder = work.path();
      return MemoryGrowth.parse(
          MeasuredProcess.run(
              folder.resolve("log"),
              jvmOptions(),
              StreamsMemoryRun.class,
              StreamsMemoryRun.arguments(
                  engine,
                  number,
                  written,
                  valueBytes,
                  options.memoryBytes(),
                  folder.resolve("state"))));
    }
  }

  private List<String> jvmOptions() {
    return List.of(
        "-Xms" + heapMib + "m",
        "-Xmx" + heapMib + "m",
        "-XX:+AlwaysPreTouch",
        "-XX:MaxDirectMemorySize=1g",
        // The second compiler takes up to 45 MiB for a moment, which hides what stores take.
        "-XX:TieredStopAtLevel=1",
        // The collector counts some dead objects as live otherwise.
        "-XX:MarkSweepDeadRatio=0",
        // Memory that is free stays with the allocator otherwise. Older JDKs lack the option.
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:TrimNativeHeapInterval=1000");
  }

  private void print(StreamsEngine engine, int number, MemoryGrowth fixed, MemoryGrowth growth) {
    double peak = (growth.residentBytesMax() - fixed.residentBytesMax()) / MIB;
    System.out.printf(
        Locale.ROOT,
        "%-16s %,6d %,10.0f %,10.0f %,10.0f %12.2f %,10.0f%n",
        StreamsBench.name(engine),
        number,
        fixed.residentBytesMax() / MIB,
        peak,
        (growth.residentBytes() - fixed.residentBytes()) / MIB,
        peak / options.memoryMib(),
        (growth.heapBytes() - fixed.heapBytes()) / MIB);
  }
}
