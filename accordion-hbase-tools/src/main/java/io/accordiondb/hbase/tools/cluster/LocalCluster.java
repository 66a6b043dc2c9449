// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * A running HBase on HDFS: ZooKeeper, a name node, data nodes, a master and region servers, each in
 * a JVM of its own. One thread starts, kills and closes it.
 *
 * <p>If a start fails, all that was started is stopped. If this process is killed, the others halt.
 */
public final class LocalCluster implements Closeable {
  private static final long START_SECONDS = 300;
  private static final long STOP_NANOS = 30_000_000_000L;

  private final ClusterLayout layout;
  private final ClusterProcess zooKeeper;
  private final ClusterProcess nameNode;
  private final List<ClusterProcess> dataNodes;
  private final ClusterProcess master;
  private final List<ClusterProcess> servers;
  private final Consumer<String> progress;

  private LocalCluster(ClusterLayout layout, Consumer<String> progress) {
    this.layout = layout;
    this.progress = progress;
    zooKeeper = new ClusterProcess(layout.zooKeeper());
    nameNode = new ClusterProcess(layout.nameNode());
    dataNodes = layout.dataNodes().stream().map(ClusterProcess::new).toList();
    master = new ClusterProcess(layout.master());
    servers = layout.servers().stream().map(ClusterProcess::new).toList();
  }

  /**
   * Starts a cluster, and waits until its master is initialised and all servers have reported.
   *
   * @param progress receives lines that say what happens
   * @throws IOException if the folder is not empty, a port is taken, a process ends, or it takes
   *     too long; the message says which
   */
  public static LocalCluster start(ClusterOptions options, Consumer<String> progress)
      throws IOException, InterruptedException {
    verifyEmpty(options.folder());
    ClusterLayout layout = new ClusterLayout(options);
    layout.create();
    LocalCluster cluster = new LocalCluster(layout, progress);
    try {
      cluster.start();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      cluster.kill();
      throw e;
    }
  }

  private static void verifyEmpty(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        throw new IOException(folder + " is not empty: it has " + file.getFileName());
      }
    }
  }

  private void start() throws IOException, InterruptedException {
    start(zooKeeper);
    progress.accept("formatting the name node");
    nameNode.runOnce(List.of("-format", "-nonInteractive"));
    zooKeeper.verifyAlive();
    start(nameNode);
    for (ClusterProcess dataNode : dataNodes) {
      start(dataNode);
    }
    long begun = System.currentTimeMillis();
    start(master);
    for (ClusterProcess server : servers) {
      start(server);
    }
    new Readiness(configuration(), processes()).await(servers, begun, START_SECONDS, progress);
  }

  private void start(ClusterProcess process) throws IOException {
    process.start();
    progress.accept(process.name() + " starts, pid " + process.pid());
  }

  /** Returns the configuration with which a client in this process connects. */
  public Configuration configuration() {
    return layout.client();
  }

  /** Returns the folder with the configuration of clients in other processes. */
  public Path clientFolder() {
    return layout.clientFolder();
  }

  /** Returns all processes, in the order in which they start. */
  public List<ClusterProcess> processes() {
    List<ClusterProcess> all = new ArrayList<>(coreProcesses());
    all.addAll(servers);
    return all;
  }

  /** Returns the processes without which nothing works. */
  public List<ClusterProcess> coreProcesses() {
    List<ClusterProcess> core = new ArrayList<>(List.of(zooKeeper, nameNode));
    core.addAll(dataNodes);
    core.add(master);
    return core;
  }

  /** Returns the region servers. */
  public List<ClusterProcess> servers() {
    return servers;
  }

  /** Ends a region server with SIGKILL; returns when it is gone. */
  public void kill(ClusterProcess server) throws InterruptedException {
    server.kill();
  }

  /**
   * Starts a region server again, with the same ports, and waits until the master knows it.
   *
   * @throws IOException if it ends, or it takes too long
   */
  public void restart(ClusterProcess server) throws IOException, InterruptedException {
    long begun = System.currentTimeMillis();
    server.start();
    List<ClusterProcess> needed = new ArrayList<>(coreProcesses());
    needed.add(server);
    new Readiness(configuration(), needed)
        .await(List.of(server), begun, START_SECONDS, state -> {});
  }

  /** Returns the resident memory of all processes; 0 where the system does not tell. */
  public long residentBytes() {
    return processes().stream().mapToLong(ClusterProcess::residentBytes).sum();
  }

  /**
   * Stops all processes in order: region servers, which flush their memory stores, the master, data
   * nodes, the name node, ZooKeeper. One that does not end within half a minute is killed.
   */
  @Override
  public void close() throws IOException {
    try {
      stop(servers);
      stop(List.of(master));
      stop(dataNodes);
      stop(List.of(nameNode));
      stop(List.of(zooKeeper));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      kill();
    }
  }

  private void stop(List<ClusterProcess> processes) throws InterruptedException {
    processes.forEach(ClusterProcess::askToStop);
    long deadline = System.nanoTime() + STOP_NANOS;
    for (ClusterProcess process : processes) {
      process.awaitStop(deadline);
    }
  }

  /** Kills all processes. */
  private void kill() {
    boolean interrupted = Thread.interrupted();
    for (ClusterProcess process : processes()) {
      try {
        process.kill();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
