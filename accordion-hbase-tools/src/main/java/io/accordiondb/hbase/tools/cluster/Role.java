// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import java.util.List;

/** What a process of a cluster does: the main class that it runs, and the options of its JVM. */
public enum Role {
  /** HBase's own ZooKeeper. */
  ZOOKEEPER(
      "org.apache.hadoop.hbase.zookeeper.HQuorumPeer",
      List.of(),
      List.of("-Dzookeeper.admin.enableServer=false"),
      true),
  /** Names and blocks of HDFS's files. */
  NAME_NODE("org.apache.hadoop.hdfs.server.namenode.NameNode", List.of(), List.of(), true),
  /** Contents of HDFS's files. */
  DATA_NODE("org.apache.hadoop.hdfs.server.datanode.DataNode", List.of(), List.of(), true),
  /** HBase's master. */
  MASTER("org.apache.hadoop.hbase.master.HMaster", List.of("start"), List.of(), true),
  /** A region server, which has the memory stores. */
  REGION_SERVER(
      "org.apache.hadoop.hbase.regionserver.HRegionServer", List.of("start"), List.of(), false);

  private static final List<String> LIGHT = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** HBase's own choice, and figures of the collector by generation. */
  private static final List<String> FULL = List.of("-XX:+UseG1GC");

  private final String mainClass;
  private final List<String> arguments;
  private final List<String> options;
  private final boolean isLight;

  Role(String mainClass, List<String> arguments, List<String> options, boolean isLight) {
    this.mainClass = mainClass;
    this.arguments = arguments;
    this.options = options;
    this.isLight = isLight;
  }

  String mainClass() {
    return mainClass;
  }

  List<String> arguments() {
    return arguments;
  }

  /** Returns options of the JVM that only this role has. */
  List<String> options() {
    return options;
  }

  /** Returns which collector and compilers run: those that start fast for all but the stores. */
  List<String> tuning() {
    return isLight ? LIGHT : FULL;
  }
}
