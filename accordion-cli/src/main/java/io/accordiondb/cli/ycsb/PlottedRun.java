// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.ycsb;

import io.accordiondb.bench.Latencies;
import io.accordiondb.bench.OverTimeCharts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import site.ycsb.DB;

/**
 * A run of YCSB's client whose latencies are plotted. YCSB creates its parts by class name and
 * passes nothing to them, so they find the run here. A process has only one run, because YCSB's
 * client ends the process. Thread-safe.
 */
public final class PlottedRun {
  private static volatile @Nullable PlottedRun current;

  private final Path folder;
  private final String phase;
  private final Supplier<DB> clients;
  private final Map<String, Latencies> operations = new TreeMap<>();

  private PlottedRun(Path folder, String phase, Supplier<DB> clients) {
    this.folder = folder;
    this.phase = phase;
    this.clients = clients;
  }

  /**
   * Begins the run of this process, to be made by {@link TimedClient} and {@link PlotExporter}.
   *
   * @param folder where charts are written
   * @param phase the phase, used in the titles and names of charts
   * @param clients creates what does the operations of a thread
   */
  public static void begin(Path folder, String phase, Supplier<DB> clients) {
    current = new PlottedRun(folder, phase, clients);
  }

  static PlottedRun current() {
    PlottedRun run = current;
    if (run == null) {
      throw new IllegalStateException("no run with plots has begun");
    }
    return run;
  }

  DB newClient() {
    return clients.get();
  }

  /** Adds what a thread has recorded, which is done, by the names of operations. */
  synchronized void add(Map<String, Latencies> recorded) {
    recorded.forEach(
        (name, latencies) ->
            operations.computeIfAbsent(name, key -> new Latencies()).add(latencies));
  }

  /** Writes the charts, a line for each operation; none if nothing was recorded. */
  synchronized void write() throws IOException {
    OverTimeCharts charts = new OverTimeCharts("YCSB " + phase);
    operations.forEach((name, latencies) -> charts.add(name, latencies.overTime()));
    if (!charts.isEmpty()) {
      charts.write(folder, phase);
    }
  }
}
