// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.bench.TemporaryFolder;
import io.accordiondb.hbase.tools.cluster.ClusterOptions;
import io.accordiondb.hbase.tools.cluster.LocalCluster;
import io.accordiondb.hbase.tools.cluster.RandomKills;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import sun.misc.Signal;

/**
 * Runs a cluster of processes until SIGINT or SIGTERM, then stops it in order and deletes its
 * folder, if that is a temporary one. A second signal, a second later, does not wait for the order.
 */
final class ClusterRun {
  private static final int KILLED_BY_SECOND_SIGNAL = 130;

  /** Some programs signal a process and its group, so that one wish comes twice. */
  private static final long SAME_SIGNAL_NANOS = 1_000_000_000L;

  private final ClusterFlags flags;
  private final ClusterReport report;

  private final AtomicLong interruptedNanos = new AtomicLong();

  ClusterRun(ClusterFlags flags, boolean isForAllTables, PrintWriter out, PrintWriter err) {
    this.flags = flags;
    this.report =
        flags.isJson
            ? new ClusterReport.Json(out, err)
            : new ClusterReport.Text(out, err, isForAllTables);
  }

  /**
   * Runs it.
   *
   * @param settings keys of {@code hbase-site.xml}
   * @throws IOException if it does not start, or a process ends that all need
   */
  void run(Map<String, String> settings) throws IOException, InterruptedException {
    // Finds wrong numbers before anything is created.
    ClusterOptions unused = flags.options(Path.of(""), settings);
    if (flags.path != null) {
      run(flags.options(flags.path, settings));
    } else if (flags.isKept) {
      run(flags.options(Files.createTempDirectory("accordion-hbase-"), settings));
    } else {
      try (TemporaryFolder folder = TemporaryFolder.create("hbase")) {
        run(flags.options(folder.path().resolve("cluster"), settings));
      }
    }
  }

  private void run(ClusterOptions options) throws IOException, InterruptedException {
    Thread runner = Thread.currentThread();
    for (String signal : new String[] {"INT", "TERM"}) {
      Signal.handle(new Signal(signal), received -> stop(runner));
    }
    try (LocalCluster cluster = LocalCluster.start(options, report::progress)) {
      report.started(cluster, options.folder());
      new RandomKills(cluster, flags.killEvery, new Random(), report).run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      // HBase's client may say in many ways that it was interrupted.
      if (interruptedNanos.get() == 0) {
        throw e;
      }
    } finally {
      // What follows must not be interrupted as well.
      boolean unused = Thread.interrupted();
    }
    report.progress("stopped");
  }

  /** Ends the run. The second time it halts this process, and then the others halt. */
  private void stop(Thread runner) {
    long now = Math.max(1, System.nanoTime());
    if (interruptedNanos.compareAndSet(0, now)) {
      report.progress("stopping");
      runner.interrupt();
    } else if (now - interruptedNanos.get() > SAME_SIGNAL_NANOS) {
      Runtime.getRuntime().halt(KILLED_BY_SECOND_SIGNAL);
    }
  }
}
