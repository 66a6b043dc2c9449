// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import io.accordiondb.hbase.AccordionMemStore;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import sun.misc.Signal;

/**
 * {@code accordion hbase}: a real HBase, in this process or with {@code --servers} in one process
 * for each part, until it is interrupted.
 */
@Command(
    name = "accordion hbase",
    mixinStandardHelpOptions = true,
    description =
        "Starts HDFS, ZooKeeper, a master and a region server in this process, with the plug-in,"
            + " prints how a client connects and runs until it is interrupted. Its data goes with"
            + " it. With --servers each part is a process of its own, which takes longer to start,"
            + " and the plug-in is on for all user tables.")
public final class HBaseCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup(exclusive = false, heading = "A cluster of processes:%n")
  private @Nullable ClusterFlags cluster;

  @Option(
      names = "--all-tables",
      negatable = true,
      description =
          "use the plug-in for all user tables, not only for those that name it (default: only"
              + " with --servers)")
  private @Nullable Boolean isForAllTables;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      defaultValue = "ADAPTIVE",
      description =
          "policy where none is named: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private Policy policy = Policy.ADAPTIVE;

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new HBaseCommand());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionExceptionHandler(
        (failure, line, parsed) -> {
          String message = failure.getMessage();
          boolean isPlain = failure instanceof IOException && message != null;
          line.getErr().println("accordion hbase: " + (isPlain ? message : failure));
          return line.getCommandSpec().exitCodeOnExecutionException();
        });
    return command;
  }

  @Override
  public Integer call() throws Exception {
    boolean allTables = Objects.requireNonNullElse(isForAllTables, cluster != null);
    Map<String, String> settings = new HashMap<>();
    settings.put("accordion.memstore.policy", policy.name());
    if (allTables) {
      settings.put(HStore.MEMSTORE_CLASS_NAME, AccordionMemStore.class.getName());
    }
    if (cluster == null) {
      runInThisProcess(settings, allTables);
      return 0;
    }
    CommandLine line = spec.commandLine();
    try {
      new ClusterRun(cluster, allTables, line.getOut(), line.getErr()).run(settings);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line, String.valueOf(e.getMessage()), e);
    }
    return 0;
  }

  private static void runInThisProcess(Map<String, String> settings, boolean allTables)
      throws Exception {
    HBaseTestingUtility cluster = new HBaseTestingUtility();
    settings.forEach(cluster.getConfiguration()::set);
    System.err.println("starting HDFS, ZooKeeper and HBase ...");
    cluster.startMiniCluster(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    // Not a shutdown hook: while one runs, a cluster cannot be stopped.
    for (String signal : new String[] {"INT", "TERM"}) {
      Signal.handle(new Signal(signal), received -> interrupted.countDown());
    }
    Configuration configuration = cluster.getConfiguration();
    clientLines(
            configuration.get(HConstants.ZOOKEEPER_QUORUM),
            configuration.get(HConstants.ZOOKEEPER_CLIENT_PORT),
            configuration.get(HConstants.ZOOKEEPER_ZNODE_PARENT),
            allTables)
        .forEach(System.out::println);
    System.out.println("Stop it with Ctrl-C.");
    interrupted.await();
    stop(cluster);
  }

  /** Returns what says how a client connects, and how a table gets the plug-in. */
  static List<String> clientLines(
      String quorum, String port, String parent, boolean isForAllTables) {
    List<String> lines = new ArrayList<>();
    lines.add("HBase runs. ZooKeeper: " + quorum + ":" + port + ", parent " + parent);
    lines.add("");
    lines.add("A client in Java:");
    lines.add("  Configuration configuration = HBaseConfiguration.create();");
    lines.add("  configuration.set(\"" + HConstants.ZOOKEEPER_QUORUM + "\", \"" + quorum + "\");");
    lines.add(
        "  configuration.set(\"" + HConstants.ZOOKEEPER_CLIENT_PORT + "\", \"" + port + "\");");
    lines.add(
        "  configuration.set(\"" + HConstants.ZOOKEEPER_ZNODE_PARENT + "\", \"" + parent + "\");");
    lines.add(
        "  try (Connection connection = ConnectionFactory.createConnection(configuration)) {");
    lines.add("    connection.getAdmin().createTable(");
    lines.add("        TableDescriptorBuilder.newBuilder(TableName.valueOf(\"users\"))");
    if (!isForAllTables) {
      lines.add(
          "            .setValue(\""
              + HStore.MEMSTORE_CLASS_NAME
              + "\", \""
              + AccordionMemStore.class.getName()
              + "\")");
    }
    lines.add("            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(\"profile\"))");
    lines.add("            .build());");
    lines.add("  }");
    lines.add(
        isForAllTables
            ? "All user tables have Accordion's memory store."
            : "Tables that set this value have Accordion's memory store; --all-tables gives it to"
                + " all.");
    return lines;
  }

  private static void stop(HBaseTestingUtility cluster) throws IOException {
    try {
      cluster.shutdownMiniCluster();
      System.err.println("stopped");
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
