// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.LoadTestTool;

/**
 * HBase's {@link LoadTestTool} in a process of its own: range after range of keys it writes and
 * reads them, updates some by increments, appends, deletes and checked puts, and verifies them all.
 */
final class LoadTest implements Callable<Long> {
  static final TableName TABLE = TableName.valueOf("load");
  private static final int KEYS = 10_000;

  private final LocalCluster cluster;
  private final Path log;
  private volatile boolean isEnding;

  /**
   * Creates it.
   *
   * @param log gets what the tool prints
   */
  LoadTest(LocalCluster cluster, Path log) {
    this.cluster = cluster;
    this.log = log;
  }

  /** Creates the table. */
  void createTable() throws IOException, InterruptedException {
    run("-init_only", "-num_regions_per_server", "1");
  }

  /** Writes and verifies ranges of keys until the test ends it; returns the number of keys. */
  @Override
  public Long call() throws IOException, InterruptedException {
    long keys = 0;
    while (!isEnding) {
      range(keys, "-write", "3:100:3", "-multiput", "-read", "100:3");
      // Not beside readers: an update changes cells first, and what says so in a second step.
      range(keys, "-update", "20:3:1");
      range(keys, "-read", "100:3");
      keys += KEYS;
    }
    return keys;
  }

  private void range(long firstKey, String... arguments) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("-skip_init", "-start_key", "" + firstKey, "-num_keys", "" + KEYS));
    run(all.toArray(String[]::new));
  }

  /** Lets {@link #call} end after the present range of keys. */
  void end() {
    isEnding = true;
  }

  /** Reads and verifies all keys. */
  void verify(long keys) throws IOException, InterruptedException {
    run("-skip_init", "-read", "100:4", "-start_key", "0", "-num_keys", "" + keys);
  }

  private void run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
            "-cp",
            cluster.clientFolder()
                + System.getProperty("path.separator")
                + System.getProperty("java.class.path"),
            WatchedMain.class.getName(),
            LoadTestTool.class.getName(),
            "-Dhbase.client.retries.number=100",
            "-Dhbase.client.pause=50",
            "-v",
            "-tn",
            TABLE.getNameAsString()));
    command.addAll(List.of(arguments));
    Process tool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    try {
      if (tool.waitFor() != 0) {
        throw new IOException(
            "LoadTestTool "
                + List.of(arguments)
                + " has ended with exit code "
                + tool.exitValue()
                + "; the end of "
                + log
                + ":\n"
                + LogTail.of(log));
      }
    } finally {
      tool.destroyForcibly();
    }
  }
}
