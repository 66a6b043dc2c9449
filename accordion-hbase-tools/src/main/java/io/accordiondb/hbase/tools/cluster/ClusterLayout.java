// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * Decides about the ports, folders and configuration of a cluster, and writes the files that its
 * processes read. All listen on the loopback address only.
 */
final class ClusterLayout {
  static final String HOST = "localhost";
  private static final String ADDRESS = "127.0.0.1";
  private static final String ZOOKEEPER_PARENT = "/hbase";

  /** A server that does not answer for so long is dead for the others. */
  private static final String SESSION_MILLIS = "20000";

  private static final JvmMemory ZOOKEEPER_MEMORY = new JvmMemory(64, 64);
  private static final JvmMemory NAME_NODE_MEMORY = new JvmMemory(128, 64);
  private static final JvmMemory DATA_NODE_MEMORY = new JvmMemory(128, 128);
  private static final JvmMemory MASTER_MEMORY = new JvmMemory(256, 128);

  /** Ports of a process, at most. */
  private static final int PORTS = 2;

  private final ClusterOptions options;
  private final ProcessPlan zooKeeper;
  private final ProcessPlan nameNode;
  private final List<ProcessPlan> dataNodes = new ArrayList<>();
  private final ProcessPlan master;
  private final List<ProcessPlan> servers = new ArrayList<>();

  /**
   * Chooses free ports.
   *
   * @throws java.net.BindException if the port for ZooKeeper is taken
   */
  ClusterLayout(ClusterOptions options) throws IOException {
    this.options = options;
    Ports ports = new Ports(PORTS * (3 + options.dataNodes() + options.servers()));
    int clientPort = options.zooKeeperPort();
    if (clientPort == 0) {
      clientPort = ports.next();
    } else {
      Ports.verifyFree(clientPort);
    }
    zooKeeper = plan("zookeeper", Role.ZOOKEEPER, clientPort, 0, ZOOKEEPER_MEMORY, List.of());
    nameNode = plan("namenode", Role.NAME_NODE, ports, NAME_NODE_MEMORY, List.of());
    for (int i = 1; i <= options.dataNodes(); i++) {
      dataNodes.add(plan("datanode-" + i, Role.DATA_NODE, ports, DATA_NODE_MEMORY, List.of()));
    }
    master = plan("master", Role.MASTER, ports, MASTER_MEMORY, List.of());
    for (int i = 1; i <= options.servers(); i++) {
      servers.add(
          plan(
              "regionserver-" + i,
              Role.REGION_SERVER,
              ports,
              options.serverMemory(),
              options.firstJars(i)));
    }
  }

  private ProcessPlan plan(
      String name, Role role, Ports ports, JvmMemory memory, List<String> firstJars) {
    return plan(name, role, ports.next(), ports.next(), memory, firstJars);
  }

  private ProcessPlan plan(
      String name, Role role, int port, int webPort, JvmMemory memory, List<String> firstJars) {
    Path folder = options.folder().toAbsolutePath().resolve(name);
    return new ProcessPlan(name, role, folder, port, webPort, memory, firstJars);
  }

  ProcessPlan zooKeeper() {
    return zooKeeper;
  }

  ProcessPlan nameNode() {
    return nameNode;
  }

  List<ProcessPlan> dataNodes() {
    return dataNodes;
  }

  ProcessPlan master() {
    return master;
  }

  List<ProcessPlan> servers() {
    return servers;
  }

  /** Returns the folder with the configuration of clients. */
  Path clientFolder() {
    return options.folder().toAbsolutePath().resolve("client");
  }

  /** Returns the configuration of clients in this process. */
  Configuration client() {
    Configuration configuration = HBaseConfiguration.create();
    clientSettings().forEach(configuration::set);
    return configuration;
  }

  /** Creates the folders, and writes the configuration of each process and of clients. */
  void create() throws IOException {
    write(clientFolder(), "hbase-site.xml", clientSettings());
    List<ProcessPlan> all = new ArrayList<>(List.of(zooKeeper, nameNode, master));
    all.addAll(dataNodes);
    all.addAll(servers);
    for (ProcessPlan plan : all) {
      Files.createDirectories(plan.data());
      Files.createDirectories(plan.temporary());
      write(plan.configuration(), "core-site.xml", coreSettings(plan));
      write(plan.configuration(), "hdfs-site.xml", hdfsSettings(plan));
      write(plan.configuration(), "hbase-site.xml", hbaseSettings(plan));
    }
  }

  private static void write(Path folder, String name, Map<String, String> settings)
      throws IOException {
    Files.createDirectories(folder);
    Configuration file = new Configuration(false);
    settings.forEach(file::set);
    try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
      file.writeXml(out);
    }
  }

  private Map<String, String> clientSettings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.zookeeper.quorum", HOST);
    settings.put("hbase.zookeeper.property.clientPort", "" + zooKeeper.port());
    settings.put("zookeeper.znode.parent", ZOOKEEPER_PARENT);
    return settings;
  }

  private Map<String, String> coreSettings(ProcessPlan plan) {
    return Map.of(
        "fs.defaultFS",
        "hdfs://" + nameNode.address(),
        "hadoop.tmp.dir",
        plan.temporary().toString());
  }

  private Map<String, String> hdfsSettings(ProcessPlan plan) {
    Map<String, String> settings = new HashMap<>();
    settings.put("dfs.replication", "" + dataNodes.size());
    // There are no others to replace one with.
    settings.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    settings.put("dfs.permissions.enabled", "false");
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    settings.put("dfs.namenode.safemode.extension", "0");
    settings.put("dfs.namenode.http-address", ADDRESS + ":" + nameNode.webPort());
    settings.put("dfs.namenode.rpc-bind-host", ADDRESS);
    settings.put("dfs.namenode.name.dir", nameNode.data().toUri().toString());
    if (plan.role() == Role.DATA_NODE) {
      settings.put("dfs.datanode.address", ADDRESS + ":" + plan.port());
      settings.put("dfs.datanode.http.address", ADDRESS + ":" + plan.webPort());
      settings.put("dfs.datanode.ipc.address", ADDRESS + ":0");
      settings.put("dfs.datanode.data.dir", plan.data().toUri().toString());
    }
    return settings;
  }

  private Map<String, String> hbaseSettings(ProcessPlan plan) {
    Map<String, String> settings = new HashMap<>(clientSettings());
    settings.put("hbase.cluster.distributed", "true");
    settings.put("hbase.rootdir", "hdfs://" + nameNode.address() + "/hbase");
    settings.put("hbase.tmp.dir", plan.temporary().toString());
    settings.put("hbase.zookeeper.property.dataDir", zooKeeper.data().toString());
    settings.put("hbase.zookeeper.property.clientPortAddress", ADDRESS);
    settings.put("zookeeper.session.timeout", SESSION_MILLIS);
    settings.put("hbase.master.hostname", HOST);
    settings.put("hbase.master.ipc.address", ADDRESS);
    settings.put("hbase.master.info.bindAddress", ADDRESS);
    settings.put("hbase.master.port", "" + master.port());
    settings.put("hbase.master.info.port", "" + master.webPort());
    settings.put("hbase.master.wait.on.regionservers.mintostart", "" + servers.size());
    if (plan.role() == Role.REGION_SERVER) {
      settings.put("hbase.regionserver.hostname", HOST);
      settings.put("hbase.regionserver.ipc.address", ADDRESS);
      settings.put("hbase.regionserver.info.bindAddress", ADDRESS);
      settings.put("hbase.regionserver.port", "" + plan.port());
      settings.put("hbase.regionserver.info.port", "" + plan.webPort());
      settings.put("hbase.server.allocator.max.buffer.count", "512");
      if (plan.memory().storeMegabytes() > 0) {
        settings.put(
            "hbase.regionserver.offheap.global.memstore.size", "" + plan.memory().storeMegabytes());
      }
    }
    settings.putAll(options.settings());
    return settings;
  }
}
