// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Waits until HBase's client finds a master that is initialised and all region servers. */
final class Readiness {
  private static final long POLL_MILLIS = 500;
  private static final String CALL_MILLIS = "5000";
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final Configuration configuration;
  private final List<ClusterProcess> processes;

  /**
   * Creates it.
   *
   * @param client how clients connect
   * @param processes if one of these ends, waiting has no sense
   */
  Readiness(Configuration client, List<ClusterProcess> processes) {
    this.configuration = new Configuration(client);
    // A call that fails is tried again here, where the processes are looked at as well.
    configuration.set(HConstants.HBASE_CLIENT_RETRIES_NUMBER, "1");
    configuration.set(HConstants.HBASE_RPC_TIMEOUT_KEY, CALL_MILLIS);
    configuration.set(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, CALL_MILLIS);
    configuration.set(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, CALL_MILLIS);
    configuration.set("zookeeper.recovery.retry", "0");
    this.processes = processes;
  }

  /**
   * Waits.
   *
   * @param servers region servers that must be there, each started after a moment
   * @param sinceMillis that moment, of {@link System#currentTimeMillis}; earlier incarnations do
   *     not count
   * @param seconds how long to wait
   * @param progress receives what is waited for, whenever it changes
   * @throws IOException if a process ends, or the time is over
   */
  void await(
      List<ClusterProcess> servers, long sinceMillis, long seconds, Consumer<String> progress)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + seconds * NANOS_PER_SECOND;
    Set<Integer> ports =
        servers.stream().map(server -> server.plan().port()).collect(Collectors.toSet());
    String state = "";
    while (true) {
      for (ClusterProcess process : processes) {
        process.verifyAlive();
      }
      String present = state(ports, sinceMillis);
      if (present.isEmpty()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("HBase is not ready after " + seconds + " s: " + present);
      }
      if (!present.equals(state)) {
        progress.accept(present);
        state = present;
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Returns what is still missing; nothing if the cluster is ready. */
  private String state(Set<Integer> ports, long sinceMillis) throws InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(EnumSet.of(Option.MASTER, Option.LIVE_SERVERS));
      long reported =
          metrics.getLiveServerMetrics().keySet().stream()
              .filter(server -> server.getStartcode() >= sinceMillis)
              .map(ServerName::getPort)
              .filter(ports::contains)
              .count();
      if (reported < ports.size()) {
        return reported + " of " + ports.size() + " region servers have reported";
      }
      // The master answers this call only once it is initialised.
      admin.listNamespaces();
      return "";
    } catch (IOException e) {
      if (isInterruption(e)) {
        throw (InterruptedException) new InterruptedException("interrupted").initCause(e);
      }
      return "the master is not initialised yet";
    }
  }

  /** Returns whether the client failed because this thread was interrupted. */
  private static boolean isInterruption(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      boolean isTimeout = cause instanceof SocketTimeoutException;
      if (cause instanceof InterruptedException
          || (cause instanceof InterruptedIOException && !isTimeout)) {
        return true;
      }
    }
    return Thread.interrupted();
  }
}
