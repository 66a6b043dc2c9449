// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What one process runs and where. Immutable.
 *
 * @param name its name, and that of its folder
 * @param role what it does
 * @param folder where its configuration, data and log are
 * @param port where others call it
 * @param webPort where its web page is; 0 if it has none
 * @param memory the limits of its JVM
 * @param firstJars parts of the class path that come before all others
 */
public record ProcessPlan(
    String name,
    Role role,
    Path folder,
    int port,
    int webPort,
    JvmMemory memory,
    List<String> firstJars) {
  /** What HBase asks of a JDK from 17 on. */
  private static final List<String> JDK_OPTIONS =
      List.of(
          "--add-modules=jdk.unsupported",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED");

  /** Returns the host and port at which others call it. */
  public String address() {
    return ClusterLayout.HOST + ":" + port;
  }

  /** Returns the address of its web page; empty if it has none. */
  public String webPage() {
    return webPort == 0 ? "" : "http://" + ClusterLayout.HOST + ":" + webPort + "/";
  }

  /** Returns the file of what it has printed. */
  public Path log() {
    return folder.resolve(name + ".log");
  }

  /** Returns the folder of its configuration. */
  Path configuration() {
    return folder.resolve("conf");
  }

  /** Returns the folder of its data. */
  Path data() {
    return folder.resolve("data");
  }

  /** Returns the folder of its temporary files. */
  Path temporary() {
    return folder.resolve("tmp");
  }

  /** Returns the command line that starts it. */
  List<String> command() {
    return command(role.arguments());
  }

  /** Returns the command line that runs its main class with other arguments. */
  List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + memory.heapMegabytes() + "m");
    command.add("-XX:MaxDirectMemorySize=" + memory.directMegabytes() + "m");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(role.tuning());
    command.addAll(role.options());
    command.addAll(JDK_OPTIONS);
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Djava.io.tmpdir=" + temporary());
    command.add("-Dhbase.log.dir=" + folder);
    command.add("-Dhadoop.log.dir=" + folder);
    command.add("-Dlog4j.configuration=accordion-log4j.properties");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=info");
    command.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
    command.add("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss,SSS");
    command.add("-Dorg.slf4j.simpleLogger.showShortLogName=true");
    command.add("-cp");
    command.add(classPath());
    command.add(WatchedMain.class.getName());
    command.add(role.mainClass());
    command.addAll(arguments);
    return command;
  }

  /** The configuration comes first, then what this process was started with. */
  private String classPath() {
    List<String> parts = new ArrayList<>();
    parts.add(configuration().toString());
    parts.addAll(firstJars);
    parts.add(System.getProperty("java.class.path"));
    return String.join(System.getProperty("path.separator"), parts);
  }
}
