// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.hbase.tools.cluster.ClusterOptions;
import io.accordiondb.hbase.tools.cluster.JvmMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code accordion hbase} that make it a cluster of processes. */
final class ClusterFlags {
  private static final int DATA_NODES = 2;

  @Option(
      names = "--servers",
      paramLabel = "N",
      required = true,
      description =
          "start this number of region servers, 1 to "
              + ClusterOptions.SERVERS_MAX
              + ", and all that they need, each in a process of its own")
  private int servers;

  @Option(
      names = "--data-nodes",
      paramLabel = "N",
      description =
          "data nodes of HDFS, each with a copy of every block (default " + DATA_NODES + ")")
  private int dataNodes = DATA_NODES;

  @Option(
      names = "--path",
      paramLabel = "FOLDER",
      description =
          "an empty folder for configuration, logs and data, which stay there (default: a"
              + " temporary one, which goes with the cluster)")
  @Nullable Path path;

  @Option(names = "--keep", description = "do not delete the temporary folder")
  boolean isKept;

  @Option(
      names = "--zookeeper-port",
      paramLabel = "PORT",
      description = "port at which clients find ZooKeeper (default: one that is free)")
  private int zooKeeperPort;

  @Option(
      names = "--kill-every",
      paramLabel = "TIME",
      converter = Interval.class,
      description =
          "kill a random region server with SIGKILL whenever this time is over, for example 30s"
              + " or 2m, and start it again")
  Duration killEvery = Duration.ZERO;

  @Option(
      names = "--json",
      description =
          "print one JSON object for the cluster, and one for each kill, each restart, and each"
              + " server that has ended by itself")
  boolean isJson;

  /**
   * Returns the options of a cluster.
   *
   * @throws IllegalArgumentException if a number is out of its range; the message says which
   */
  ClusterOptions options(Path folder, Map<String, String> settings) {
    if (servers < 1 || servers > ClusterOptions.SERVERS_MAX) {
      throw new IllegalArgumentException(
          "--servers is " + servers + ", expected 1 to " + ClusterOptions.SERVERS_MAX);
    }
    if (dataNodes < 1 || dataNodes > ClusterOptions.DATA_NODES_MAX) {
      throw new IllegalArgumentException(
          "--data-nodes is " + dataNodes + ", expected 1 to " + ClusterOptions.DATA_NODES_MAX);
    }
    if (zooKeeperPort < 0 || zooKeeperPort > 65535) {
      throw new IllegalArgumentException(
          "--zookeeper-port is " + zooKeeperPort + ", expected 1 to 65535");
    }
    return new ClusterOptions(
        folder, servers, dataNodes, zooKeeperPort, JvmMemory.ofServer(servers), settings, Map.of());
  }

  /** Reads a whole number of seconds, minutes or hours. */
  static final class Interval implements ITypeConverter<Duration> {
    private static final Pattern TEXT = Pattern.compile("\\d{1,6}[smh]");

    @Override
    public Duration convert(String text) {
      Duration interval =
          TEXT.matcher(text).matches()
              ? Duration.parse("PT" + text.toUpperCase(Locale.ROOT))
              : Duration.ZERO;
      if (interval.isZero()) {
        throw new TypeConversionException(
            "\"" + text + "\" is no time, expected for example 30s, 2m or 1h");
      }
      return interval;
    }
  }
}
