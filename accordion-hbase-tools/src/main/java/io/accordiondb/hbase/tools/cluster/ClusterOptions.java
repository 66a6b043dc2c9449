// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a cluster is set up. Immutable.
 *
 * @param folder where all processes have their files; it exists and is empty
 * @param servers number of region servers
 * @param dataNodes number of HDFS's data nodes, each of which has a copy of every block
 * @param zooKeeperPort the port that clients need; 0 for any that is free
 * @param serverMemory limits of each region server
 * @param settings keys of {@code hbase-site.xml} of all processes, besides those that the layout
 *     decides about; they win
 * @param firstJars for numbers of region servers, from 1 on, a folder of jars that come before all
 *     others
 */
public record ClusterOptions(
    Path folder,
    int servers,
    int dataNodes,
    int zooKeeperPort,
    JvmMemory serverMemory,
    Map<String, String> settings,
    Map<Integer, Path> firstJars) {
  /** More do not fit into 6 GB. */
  public static final int SERVERS_MAX = 8;

  /** More copies of a block than HDFS has by default. */
  public static final int DATA_NODES_MAX = 3;

  /** Checks the numbers. */
  public ClusterOptions {
    check("region servers", servers, 1, SERVERS_MAX);
    check("data nodes", dataNodes, 1, DATA_NODES_MAX);
    check("ZooKeeper's port", zooKeeperPort, 0, 65535);
    settings = Map.copyOf(settings);
    firstJars = Map.copyOf(firstJars);
  }

  /** Returns options of a cluster with this number of region servers and one data node. */
  public static ClusterOptions of(Path folder, int servers) {
    return new ClusterOptions(
        folder, servers, 1, 0, JvmMemory.ofServer(servers), Map.of(), Map.of());
  }

  /** Returns these options with another number of data nodes. */
  public ClusterOptions withDataNodes(int number) {
    return new ClusterOptions(
        folder, servers, number, zooKeeperPort, serverMemory, settings, firstJars);
  }

  /** Returns these options with other limits of a region server's memory. */
  public ClusterOptions withServerMemory(JvmMemory memory) {
    return new ClusterOptions(
        folder, servers, dataNodes, zooKeeperPort, memory, settings, firstJars);
  }

  /** Returns these options with one more key of {@code hbase-site.xml}. */
  public ClusterOptions with(String key, String value) {
    Map<String, String> more = new HashMap<>(settings);
    more.put(key, value);
    return new ClusterOptions(
        folder, servers, dataNodes, zooKeeperPort, serverMemory, more, firstJars);
  }

  /** Returns these options with a folder of jars that one region server loads before all others. */
  public ClusterOptions withFirstJars(int server, Path jars) {
    Map<Integer, Path> more = new HashMap<>(firstJars);
    more.put(server, jars);
    return new ClusterOptions(
        folder, servers, dataNodes, zooKeeperPort, serverMemory, settings, more);
  }

  /** Returns the jars that a region server loads before all others, as parts of a class path. */
  List<String> firstJars(int server) {
    Path jars = firstJars.get(server);
    return jars == null ? List.of() : List.of(jars.toAbsolutePath().resolve("*").toString());
  }

  private static void check(String what, int number, int least, int most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          number + " " + what + ", expected " + least + " to " + most);
    }
  }
}
