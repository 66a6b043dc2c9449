// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** A broker of Kafka's, with its controller, in a process of its own. */
public final class Broker implements AutoCloseable {
  private static final int START_SECONDS_MAX = 60;

  private static final List<String> QUICK_START = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

  private final JavaProcess process;
  private final Admin admin;
  private final String address;

  private Broker(JavaProcess process, String address) {
    this.process = process;
    this.address = address;
    this.admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address));
  }

  /** Starts a broker that keeps its files in a folder. */
  public static Broker start(Path folder) throws Exception {
    Files.createDirectories(folder);
    int port = freePort();
    int controllerPort = freePort();
    Path properties = folder.resolve("server.properties");
    Files.writeString(
        properties,
        String.join(
            "\n",
            "process.roles=broker,controller",
            "node.id=1",
            "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
            "controller.listener.names=CONTROLLER",
            "log.dirs=" + folder.resolve("logs"),
            "offsets.topic.replication.factor=1",
            "offsets.topic.num.partitions=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            "transaction.state.log.num.partitions=1",
            "transaction.abort.timed.out.transaction.cleanup.interval.ms=500",
            "group.initial.rebalance.delay.ms=0",
            "group.min.session.timeout.ms=1000",
            "log.cleaner.enable=false",
            // Records have times of years ago: the broker must never look for expired ones, which
            // it does 30 seconds after its start otherwise.
            "log.retention.ms=-1",
            "log.initial.task.delay.ms=" + Integer.MAX_VALUE));
    Path log = folder.resolve("broker.log");
    try (JavaProcess format =
        JavaProcess.start(
            log,
            QUICK_START,
            "kafka.tools.StorageTool",
            "format",
            "--cluster-id",
            Uuid.randomUuid().toString(),
            "--config",
            properties.toString())) {
      if (format.waitFor() != 0) {
        throw new IOException("Cannot format the broker's folder: " + Files.readString(log));
      }
    }
    Broker broker =
        new Broker(
            JavaProcess.start(log, List.of("-Xmx512m"), "kafka.Kafka", properties.toString()),
            "127.0.0.1:" + port);
    broker.awaitStart(log);
    return broker;
  }

  private void awaitStart(Path log) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (true) {
      try {
        admin.describeCluster().nodes().get(2, TimeUnit.SECONDS);
        return;
      } catch (ExecutionException | TimeoutException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          close();
          throw new IOException("The broker has not started: " + Files.readString(log), e);
        }
      }
    }
  }

  /** Returns where clients find it. */
  public String address() {
    return address;
  }

  /** Creates a topic. */
  public void createTopic(String name, int partitions) throws Exception {
    admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
  }

  @Override
  public void close() {
    admin.close();
    process.close();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
