// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Kills a random region server from time to time, and starts it again; it also notices which
 * processes end by themselves. It kills no second server while one is down: the next interval
 * begins when the master knows the server again. One thread runs it.
 */
public final class RandomKills {
  private static final long POLL_MILLIS = 500;

  private final LocalCluster cluster;
  private final Duration interval;
  private final Random random;
  private final Listener listener;

  /** Hears of kills and restarts. */
  public interface Listener {
    /** A region server was killed. */
    void killed(ClusterProcess server, long pid);

    /** A killed server is back. */
    void restarted(ClusterProcess server, Duration downtime);

    /** A region server has ended by itself, was ended by another program, or did not come back. */
    void lost(ClusterProcess server, String why);
  }

  /**
   * Creates it.
   *
   * @param interval time between kills; zero for none
   * @param random decides which server it is
   */
  public RandomKills(LocalCluster cluster, Duration interval, Random random, Listener listener) {
    this.cluster = cluster;
    this.interval = interval;
    this.random = random;
    this.listener = listener;
  }

  /**
   * Runs until it is interrupted. It goes on without a region server that ends by itself, or that
   * does not come back after it was killed.
   *
   * @throws IOException if a process ends without which the cluster does not work, or the last
   *     region server does; the message has the end of its log
   */
  public void run() throws IOException, InterruptedException {
    List<ClusterProcess> watched = new ArrayList<>(cluster.servers());
    while (true) {
      long next = System.nanoTime() + interval.toNanos();
      while (interval.isZero() || System.nanoTime() < next) {
        Thread.sleep(POLL_MILLIS);
        verify(watched);
      }
      killOne(watched);
    }
  }

  private void verify(List<ClusterProcess> watched) throws IOException {
    verifyCore();
    for (ClusterProcess server : List.copyOf(watched)) {
      try {
        server.verifyAlive();
      } catch (IOException e) {
        goOnWithout(server, watched, e);
      }
    }
  }

  private void verifyCore() throws IOException {
    for (ClusterProcess process : cluster.coreProcesses()) {
      process.verifyAlive();
    }
  }

  private void goOnWithout(ClusterProcess server, List<ClusterProcess> watched, IOException cause)
      throws IOException {
    if (watched.size() == 1) {
      throw cause;
    }
    watched.remove(server);
    listener.lost(server, String.valueOf(cause.getMessage()));
  }

  private void killOne(List<ClusterProcess> watched) throws IOException, InterruptedException {
    ClusterProcess server = watched.get(random.nextInt(watched.size()));
    long begun = System.nanoTime();
    cluster.kill(server);
    listener.killed(server, server.pid());
    try {
      cluster.restart(server);
    } catch (IOException e) {
      verifyCore();
      // It may run, but unknown to the master.
      cluster.kill(server);
      goOnWithout(server, watched, e);
      return;
    }
    listener.restarted(server, Duration.ofNanos(System.nanoTime() - begun));
  }
}
