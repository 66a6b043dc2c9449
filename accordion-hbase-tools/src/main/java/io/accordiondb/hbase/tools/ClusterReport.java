// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.hbase.tools.cluster.ClusterProcess;
import io.accordiondb.hbase.tools.cluster.LocalCluster;
import io.accordiondb.hbase.tools.cluster.RandomKills;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Prints what a cluster of processes does: results to standard output, progress to standard error.
 */
abstract class ClusterReport implements RandomKills.Listener {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final double MIB = 1 << 20;

  final PrintWriter out;
  private final PrintWriter err;

  ClusterReport(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** Says what happens. */
  final void progress(String line) {
    err.println(LocalTime.now().format(TIME) + " " + line);
    err.flush();
  }

  /** Says where a cluster is that is ready. */
  abstract void started(LocalCluster cluster, Path folder);

  /** For people. */
  static final class Text extends ClusterReport {
    private final boolean isForAllTables;

    Text(PrintWriter out, PrintWriter err, boolean isForAllTables) {
      super(out, err);
      this.isForAllTables = isForAllTables;
    }

    @Override
    void started(LocalCluster cluster, Path folder) {
      Configuration client = cluster.configuration();
      HBaseCommand.clientLines(
              client.get(HConstants.ZOOKEEPER_QUORUM),
              client.get(HConstants.ZOOKEEPER_CLIENT_PORT),
              client.get(HConstants.ZOOKEEPER_ZNODE_PARENT),
              isForAllTables)
          .forEach(out::println);
      out.println();
      String format = "%-16s %8s  %-17s %8s  %s%n";
      out.printf(format, "process", "pid", "address", "MB", "web page");
      for (ClusterProcess process : cluster.processes()) {
        out.printf(
            format,
            process.name(),
            process.pid(),
            process.plan().address(),
            megabytes(process.residentBytes()),
            process.plan().webPage());
      }
      out.printf(format, "together", "", "", megabytes(cluster.residentBytes()), "");
      out.println();
      out.println("Logs, data and configuration: " + folder);
      out.println("Configuration of clients: " + cluster.clientFolder());
      out.println("Stop it with Ctrl-C.");
      out.flush();
    }

    @Override
    public void killed(ClusterProcess server, long pid) {
      event("killed " + server.name() + ", pid " + pid);
    }

    @Override
    public void restarted(ClusterProcess server, Duration downtime) {
      event(
          String.format(
              Locale.ROOT,
              "started %s again, pid %d; it was away for %.1f s",
              server.name(),
              server.pid(),
              downtime.toMillis() / 1e3));
    }

    @Override
    public void lost(ClusterProcess server, String why) {
      event(why);
    }

    private void event(String line) {
      out.println(LocalTime.now().format(TIME) + " " + line);
      out.flush();
    }

    private static String megabytes(long bytes) {
      return bytes == 0 ? "-" : String.format(Locale.ROOT, "%,.0f", bytes / MIB);
    }
  }

  /** For programs: an object on each line. */
  static final class Json extends ClusterReport {
    Json(PrintWriter out, PrintWriter err) {
      super(out, err);
    }

    @Override
    void started(LocalCluster cluster, Path folder) {
      Configuration client = cluster.configuration();
      JsonObject object = new JsonObject();
      object.addProperty("event", "started");
      object.addProperty("zooKeeperQuorum", client.get(HConstants.ZOOKEEPER_QUORUM));
      object.addProperty("zooKeeperPort", client.getInt(HConstants.ZOOKEEPER_CLIENT_PORT, 0));
      object.addProperty("zooKeeperParent", client.get(HConstants.ZOOKEEPER_ZNODE_PARENT));
      object.addProperty("folder", folder.toString());
      object.addProperty("clientFolder", cluster.clientFolder().toString());
      object.addProperty("residentBytes", cluster.residentBytes());
      JsonArray processes = new JsonArray();
      for (ClusterProcess process : cluster.processes()) {
        JsonObject each = of(process);
        each.addProperty("address", process.plan().address());
        each.addProperty("webPage", process.plan().webPage());
        each.addProperty("log", process.plan().log().toString());
        each.addProperty("residentBytes", process.residentBytes());
        processes.add(each);
      }
      object.add("processes", processes);
      print(object);
    }

    @Override
    public void killed(ClusterProcess server, long pid) {
      JsonObject object = of(server);
      object.addProperty("event", "killed");
      print(object);
    }

    @Override
    public void restarted(ClusterProcess server, Duration downtime) {
      JsonObject object = of(server);
      object.addProperty("event", "restarted");
      object.addProperty("downtimeMillis", downtime.toMillis());
      print(object);
    }

    @Override
    public void lost(ClusterProcess server, String why) {
      JsonObject object = of(server);
      object.addProperty("event", "lost");
      object.addProperty("why", why);
      print(object);
    }

    private static JsonObject of(ClusterProcess process) {
      JsonObject object = new JsonObject();
      object.addProperty("name", process.name());
      object.addProperty("pid", process.pid());
      return object;
    }

    private void print(JsonObject object) {
      out.println(object);
      out.flush();
    }
  }
}
