// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.engine.Engines;
import io.accordiondb.bench.ycsb.EngineClient;
import io.accordiondb.cli.ycsb.PlotExporter;
import io.accordiondb.cli.ycsb.PlottedRun;
import io.accordiondb.cli.ycsb.TimedClient;
import io.accordiondb.ycsb.AccordionClient;
import io.accordiondb.ycsb.Workloads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.DBException;

/** {@code accordion ycsb}: YCSB's own client, with its output. */
@Command(
    name = "ycsb",
    mixinStandardHelpOptions = true,
    description =
        "Runs YCSB's own client on an engine. It prints what YCSB prints, and ends with "
            + "its exit code, which is 0 also where operations failed: look for lines of "
            + "Return=ERROR. Its status is shown every 5 seconds, or as the property "
            + "status.interval says.")
final class YcsbCommand implements Runnable {
  /** YCSB's property with the seconds between lines of its status. */
  static final String STATUS_INTERVAL = "status.interval";

  private static final String MEGABYTES_128 = Long.toString(128L << 20);

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The names of the workloads that come with the program, for help and completion. */
  static final class WorkloadNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Workloads.NAMES.iterator();
    }
  }

  /** How a record of YCSB is kept. */
  enum Layout {
    /** All fields in one value. */
    RECORD,
    /** Each field in a column of its own. */
    COLUMNS
  }

  /** The flags that load and run share, with the names of YCSB's own flags. */
  static final class Flags {
    @Option(
        names = "-P",
        required = true,
        paramLabel = "WORKLOAD",
        completionCandidates = WorkloadNames.class,
        description =
            "a file of properties, or one of ${COMPLETION-CANDIDATES}; again for more, "
                + "later ones win")
    private List<String> workloads = List.of();

    @Option(names = "-p", paramLabel = "KEY=VALUE", description = "a property, above all files")
    private Map<String, String> properties = Map.of();

    @Option(names = "-threads", paramLabel = "N", description = "threads")
    private @Nullable Integer threads;

    @Option(names = "-target", paramLabel = "N", description = "operations a second, at most")
    private @Nullable Integer target;

    @Option(names = "-s", description = "show status every second")
    private boolean status;

    @Option(
        names = "--engine",
        defaultValue = "accordion",
        completionCandidates = BenchCommand.EngineNames.class,
        description = "${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private String engine = "accordion";

    @Option(
        names = "--layout",
        description =
            "${COMPLETION-CANDIDATES}: a record as one value, or a field as a column, which "
                + "updates write blindly (default RECORD; engines other than accordion have no "
                + "columns)")
    private @Nullable Layout layout;

    @Option(names = "--dir", description = "folder of the store (default: ycsb-data/ENGINE)")
    private @Nullable Path directory;

    @Option(
        names = "--plots",
        paramLabel = "FOLDER",
        description =
            "time operations and draw their latency and rate over time: latency-over-time-PHASE and "
                + "rate-over-time-PHASE as SVG and as PNG; files of these names are replaced")
    private @Nullable Path plots;

    @Mixin private DashboardFlags dashboard = new DashboardFlags();
  }

  @Command(mixinStandardHelpOptions = true, description = "Inserts the workload's records.")
  int load(@Mixin Flags flags) throws IOException, DBException {
    return client(flags, "load", "-load");
  }

  @Command(mixinStandardHelpOptions = true, description = "Runs the workload's operations.")
  int run(@Mixin Flags flags) throws IOException, DBException {
    return client(flags, "run", "-t");
  }

  private static int client(Flags flags, String phase, String phaseFlag)
      throws IOException, DBException {
    Properties properties = properties(flags);
    Path plots = flags.plots;
    if (plots != null) {
      OutputPlace.checkOutsideDatabases(plots);
    }
    YcsbCheck.check(properties, isEmbedded(flags));
    Class<? extends DB> client = isEmbedded(flags) ? AccordionClient.class : EngineClient.class;
    if (plots != null) {
      Files.createDirectories(plots);
      OutputPlace.checkWritable(plots);
      PlottedRun.begin(plots, phase, isEmbedded(flags) ? AccordionClient::new : EngineClient::new);
      client = TimedClient.class;
    }
    // Ends this process.
    Client.main(arguments(client, phaseFlag, properties).toArray(new String[0]));
    return 0;
  }

  private static boolean isEmbedded(Flags flags) {
    return flags.engine.equals("accordion");
  }

  private static Properties properties(Flags flags) throws IOException {
    if (!Engines.isKnown(flags.engine)) {
      throw new IllegalArgumentException(
          "no engine named \""
              + flags.engine
              + "\"; there are "
              + String.join(", ", Engines.NAMES));
    }
    boolean embedded = isEmbedded(flags);
    if (!embedded && flags.layout == Layout.COLUMNS) {
      throw new IllegalArgumentException(flags.engine + " has no columns: leave --layout out");
    }
    if (!embedded && flags.dashboard.isWanted()) {
      throw new IllegalArgumentException(
          "--dashboard shows accordion only, but --engine is " + flags.engine);
    }
    Properties properties = new Properties();
    for (String workload : flags.workloads) {
      properties.putAll(workload(workload));
    }
    properties.putAll(flags.properties);
    if (flags.plots != null
        && properties.putIfAbsent(Client.EXPORTER_PROPERTY, PlotExporter.class.getName()) != null) {
      throw new IllegalArgumentException(
          "--plots needs YCSB's exporter of text: leave the property "
              + Client.EXPORTER_PROPERTY
              + " out");
    }
    properties.putIfAbsent(STATUS_INTERVAL, flags.status ? "1" : "5");
    set(properties, Client.THREAD_COUNT_PROPERTY, flags.threads);
    set(properties, Client.TARGET_PROPERTY, flags.target);
    properties.putIfAbsent("accordion.memorybytes", MEGABYTES_128);
    properties.putIfAbsent("accordion.blockcachebytes", MEGABYTES_128);
    Path directory = flags.directory == null ? Path.of("ycsb-data", flags.engine) : flags.directory;
    if (embedded) {
      properties.setProperty("accordion.dir", directory.toString());
      // So that "accordion top" can look on.
      properties.putIfAbsent("accordion.jmx", "true");
      if (flags.dashboard.place() != null) {
        properties.setProperty("accordion.dashboard", flags.dashboard.place());
      }
      if (flags.layout != null) {
        properties.setProperty("accordion.layout", flags.layout.name());
      }
    } else {
      properties.setProperty("engine.name", flags.engine);
      properties.setProperty("engine.dir", directory.toString());
      // The same memory and durability as the embedded store would have.
      copy(properties, "accordion.memorybytes", "engine.memorybytes");
      copy(properties, "accordion.blockcachebytes", "engine.cachebytes");
      copy(properties, "accordion.durability", "engine.durability");
    }
    return properties;
  }

  /** Returns the arguments for YCSB's client. */
  private static List<String> arguments(
      Class<? extends DB> client, String phaseFlag, Properties properties) {
    List<String> arguments = new ArrayList<>(List.of("-db", client.getName(), phaseFlag, "-s"));
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      arguments.add("-p");
      arguments.add(name + "=" + properties.getProperty(name));
    }
    return arguments;
  }

  private static Properties workload(String name) throws IOException {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "-P is empty; give the path of a file, or one of " + String.join(", ", Workloads.NAMES));
    }
    Path file = Path.of(name);
    if (!Files.exists(file)) {
      return Workloads.of(name);
    }
    if (Files.isDirectory(file)) {
      throw new FileSystemException(name, null, "Is a directory");
    }
    Properties properties = new Properties();
    try (InputStream stream = Files.newInputStream(file)) {
      properties.load(stream);
    }
    return properties;
  }

  private static void copy(Properties properties, String from, String to) {
    String value = properties.getProperty(from);
    if (value != null) {
      properties.putIfAbsent(to, value);
    }
  }

  private static void set(Properties properties, String name, @Nullable Integer value) {
    if (value != null) {
      properties.setProperty(name, value.toString());
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a phase: load or run");
  }
}
