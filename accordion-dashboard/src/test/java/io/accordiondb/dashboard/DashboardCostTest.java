// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the dashboard's threads cost while a database is written. Prints what it measures. */
@Tag("long")
class DashboardCostTest {
  private static final long WARM_UP_SECONDS = 20;
  private static final long MEASURED_SECONDS = 20;

  @TempDir private Path folder;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private volatile boolean stop;

  @Test
  void costsLittleWhileNobodyLooksAndLittleMoreWithAViewer() throws Exception {
    try (Database database =
            Database.open(
                folder,
                DatabaseOptions.builder()
                    .memoryBytes(32 << 20)
                    .durability(Durability.ASYNC)
                    .build());
        Dashboard dashboard = Dashboard.start(database, DashboardOptions.DEFAULT)) {
      Thread writer = new Thread(() -> write(database), "writer");
      writer.start();
      try {
        double unseen = measure();
        double seen;
        try (Socket viewer = openStream(new RawClient(dashboard.uri()))) {
          Thread reader = new Thread(() -> drain(viewer), "reader");
          reader.start();
          seen = measure();
        }
        System.out.printf(
            "dashboard: %.2f %% of a core unseen, %.2f %% with one viewer%n",
            unseen * 100, seen * 100);
        assertThat(unseen).isLessThan(0.01);
        assertThat(seen).isLessThan(0.03);
      } finally {
        stop = true;
        writer.join();
      }
    }
  }

  private void write(Database database) {
    try {
      KeyValueStore store = database.keyValueStore("s");
      for (long i = 0; !stop; i++) {
        store.put(("key" + i % 50_000).getBytes(StandardCharsets.US_ASCII), new byte[100]);
        if (i % 20 == 0) {
          LockSupport.parkNanos(500_000);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket openStream(RawClient client) throws IOException {
    Socket socket = client.connect();
    socket
        .getOutputStream()
        .write(
            ("GET /api/stream HTTP/1.1\r\nHost: "
                    + client.host()
                    + "\r\nAuthorization: Bearer "
                    + client.token()
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void drain(Socket viewer) {
    byte[] buffer = new byte[1 << 16];
    try {
      InputStream in = viewer.getInputStream();
      while (in.read(buffer) >= 0) {
        // What a page would show.
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  /** Returns the share of a core that the dashboard's threads take, once they are warm. */
  private double measure() {
    parkSeconds(WARM_UP_SECONDS);
    long cpuBefore = cpuNanos();
    long begun = System.nanoTime();
    parkSeconds(MEASURED_SECONDS);
    return (double) (cpuNanos() - cpuBefore) / (System.nanoTime() - begun);
  }

  private static void parkSeconds(long seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  private long cpuNanos() {
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      ThreadInfo info = threads.getThreadInfo(id);
      if (info != null
          && (info.getThreadName().startsWith("accordion-dashboard")
              || info.getThreadName().startsWith("HTTP-Dispatcher"))) {
        sum += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return sum;
  }
}
