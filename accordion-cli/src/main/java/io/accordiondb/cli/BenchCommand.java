// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.BenchOptions;
import io.accordiondb.bench.BenchOptions.Workload;
import io.accordiondb.bench.BenchResult;
import io.accordiondb.bench.BenchRunner;
import io.accordiondb.bench.Progress;
import io.accordiondb.bench.TemporaryFolder;
import io.accordiondb.bench.engine.AccordionEngine;
import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.engine.Engines;
import io.accordiondb.cli.text.Json;
import io.accordiondb.dashboard.Dashboard;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code accordion bench}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures engines on the same keys, values, memory and durability.",
    footer = {
      "",
      "'bench streams' and 'bench streams-memory' measure state stores of Kafka Streams. They",
      "need the sources, because the distribution has no Kafka."
    },
    subcommands = {
      CompareCommand.class,
      MatrixCommand.class,
      MemStoreCommand.class,
      OpenCommand.class,
      QueueCommand.class
    })
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** The names of the engines, for help and completion. */
  static final class EngineNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Engines.NAMES.iterator();
    }
  }

  /** The names of YCSB's workloads, for help and completion. */
  static final class YcsbWorkloads implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Workload.values())
          .filter(workload -> workload.ycsbName() != null)
          .map(Workload::name)
          .iterator();
    }
  }

  @Command(mixinStandardHelpOptions = true, description = "Writes rows into an empty store.")
  int write(@Mixin BenchFlags flags, @Mixin RunFlags run) throws IOException {
    return measure(Workload.WRITE, flags, run);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Adds 1 to counters of an empty store by its merge operator, and checks their "
              + "sum; accordion and rocksdb have one.")
  int counter(@Mixin BenchFlags flags, @Mixin RunFlags run) throws IOException {
    return measure(Workload.COUNTER, flags, run);
  }

  @Command(mixinStandardHelpOptions = true, description = "Loads all records, then reads fields.")
  int read(@Mixin BenchFlags flags, @Mixin RunFlags run) throws IOException {
    return measure(Workload.READ, flags, run);
  }

  @Command(mixinStandardHelpOptions = true, description = "Loads all records, then scans ranges.")
  int scan(@Mixin BenchFlags flags, @Mixin RunFlags run) throws IOException {
    return measure(Workload.SCAN, flags, run);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Loads all records, then writes while one thread reads; latencies are its.")
  int mixed(@Mixin BenchFlags flags, @Mixin RunFlags run) throws IOException {
    return measure(Workload.MIXED, flags, run);
  }

  @Command(
      name = "mixed-scan",
      mixinStandardHelpOptions = true,
      description = "Loads all records, then writes while one thread scans; latencies are its.")
  int mixedScan(@Mixin BenchFlags flags, @Mixin RunFlags run) throws IOException {
    return measure(Workload.MIXED_SCAN, flags, run);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Writes all records once and measures the heap and direct memory that they "
              + "take; --memory has to be more than that, or some are flushed to disk.")
  int hold(@Mixin BenchFlags flags, @Mixin RunFlags run) throws IOException {
    return measure(Workload.HOLD, flags, run);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Runs one of YCSB's workloads without YCSB's client: records of ten fields, as "
              + "one value of --field-length bytes, are inserted one by one, and then worked "
              + "on.")
  int ycsb(
      @Option(
              names = "--ycsb",
              required = true,
              completionCandidates = YcsbWorkloads.class,
              description = "${COMPLETION-CANDIDATES}; YCSB_LOAD measures the insertion itself")
          Workload workload,
      @Mixin BenchFlags flags,
      @Mixin RunFlags run)
      throws IOException {
    if (workload.ycsbName() == null) {
      throw new IllegalArgumentException(
          "--ycsb is " + workload + ", expected one of " + String.join(", ", new YcsbWorkloads()));
    }
    return measure(workload, flags, run);
  }

  /** The flags of a single run. */
  static final class RunFlags {
    @Option(
        names = "--engine",
        defaultValue = "accordion",
        completionCandidates = EngineNames.class,
        description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private String engine = "accordion";

    @Option(
        names = "--dir",
        description = "an empty folder for the store, which stays (default: a temporary one)")
    private @Nullable Path directory;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Mixin private DashboardFlags dashboard = new DashboardFlags();
  }

  private int measure(Workload workload, BenchFlags flags, RunFlags run) throws IOException {
    Path directory = run.directory;
    if (directory != null) {
      OutputPlace.checkEmptyFolder(directory);
      measureAndPrint(flags.options(workload, run.engine, directory), run);
      return 0;
    }
    try (TemporaryFolder temporary = TemporaryFolder.create("bench")) {
      Path store = temporary.path().resolve("store");
      measureAndPrint(flags.options(workload, run.engine, store), run);
      return 0;
    }
  }

  private void measureAndPrint(BenchOptions options, RunFlags run) throws IOException {
    if (!run.dashboard.isWanted()) {
      print(measure(options, engine -> {}), run.json);
      return;
    }
    if (!run.engine.startsWith("accordion")) {
      throw new IllegalArgumentException(
          "--dashboard shows accordion and accordion-encrypted, but --engine is " + run.engine);
    }
    PrintWriter messages = spec.commandLine().getErr();
    try (Dashboard page = run.dashboard.start(messages)) {
      print(measure(options, engine -> show(page, options.engine(), engine)), run.json);
      run.dashboard.awaitReader(messages);
    }
  }

  /** Shows an engine, if it is one that a dashboard knows. */
  static void show(Dashboard page, String name, Engine engine) {
    if (engine instanceof AccordionEngine accordion) {
      page.show(name, accordion::statistics);
    }
  }

  private static BenchResult measure(BenchOptions options, Consumer<Engine> watcher)
      throws IOException {
    Workload workload = options.workload();
    long total =
        options.operations()
            + (workload.loads() ? options.records() : 0)
            + (workload.warmsUp() ? options.warmup() : 0);
    String label = workload.name().toLowerCase(Locale.ROOT);
    try (Progress progress = new Progress(System.err, label, total, () -> "")) {
      return new BenchRunner(options, progress, watcher).run();
    }
  }

  private void print(BenchResult result, boolean json) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(result));
    } else {
      ResultText.lines(result).forEach(out::println);
    }
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "name a workload, one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
