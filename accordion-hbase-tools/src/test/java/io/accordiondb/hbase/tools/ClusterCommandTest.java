// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code accordion hbase --servers}, run as its users run it: as a process that gets signals. */
@Tag("hbase-cluster")
class ClusterCommandTest {
  private static final TableName TABLE = TableName.valueOf("users");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final long BYTES_MAX = 6L << 30;

  @TempDir Path temporary;

  private Process command(String... arguments) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-Xmx256m",
            "-Djava.io.tmpdir=" + temporary,
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            System.getProperty("java.class.path"),
            HBaseCommand.class.getName(),
            "--json"));
    line.addAll(List.of(arguments));
    return new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static JsonObject next(BufferedReader reader, String event) throws IOException {
    JsonObject object = JsonParser.parseString(reader.readLine()).getAsJsonObject();
    assertThat(object.get("event").getAsString()).isEqualTo(event);
    return object;
  }

  private static List<ProcessHandle> processes(JsonObject started) {
    List<ProcessHandle> processes = new ArrayList<>();
    for (JsonElement each : started.getAsJsonArray("processes")) {
      long pid = each.getAsJsonObject().get("pid").getAsLong();
      processes.add(ProcessHandle.of(pid).orElseThrow());
    }
    return processes;
  }

  private static void awaitEnd(List<ProcessHandle> processes) throws Exception {
    for (ProcessHandle process : processes) {
      ProcessHandle unused = process.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  private static Configuration client(JsonObject started) {
    Configuration client = HBaseConfiguration.create();
    client.set("hbase.zookeeper.quorum", started.get("zooKeeperQuorum").getAsString());
    client.set("hbase.zookeeper.property.clientPort", started.get("zooKeeperPort").getAsString());
    return client;
  }

  @Test
  void killsAndStartsServersAndStopsAllInOrder() throws Exception {
    Process command = command("--servers=3", "--kill-every=5s");
    try (BufferedReader reader = command.inputReader()) {
      JsonObject started = next(reader, "started");
      List<ProcessHandle> processes = processes(started);
      assertThat(processes).hasSize(8).allMatch(ProcessHandle::isAlive);
      assertThat(started.get("residentBytes").getAsLong()).isBetween(1L, BYTES_MAX);
      Path folder = Path.of(started.get("folder").getAsString());
      assertThat(folder).startsWith(temporary).isNotEmptyDirectory();

      try (Connection connection = ConnectionFactory.createConnection(client(started))) {
        createTable(connection);
        write(connection, "before");
        JsonObject killed = next(reader, "killed");
        assertThat(ProcessHandle.of(killed.get("pid").getAsLong())).isEmpty();
        write(connection, "while");
        JsonObject restarted = next(reader, "restarted");
        assertThat(restarted.get("name")).isEqualTo(killed.get("name"));
        processes.add(ProcessHandle.of(restarted.get("pid").getAsLong()).orElseThrow());
        verify(connection, "before", "while");
      }

      assertThat(command.toHandle().destroy()).isTrue();
      assertThat(command.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(command.exitValue()).isZero();
      awaitEnd(processes);
      assertThat(folder).doesNotExist();
    } finally {
      command.destroyForcibly();
    }
  }

  private static void createTable(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
  }

  private static void write(Connection connection, String row) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes(row)));
    }
  }

  private static void verify(Connection connection, String... rows) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (String row : rows) {
        assertThat(table.get(new Get(Bytes.toBytes(row))).value()).isEqualTo(Bytes.toBytes(row));
      }
    }
  }

  @Test
  void noProcessStaysWhenTheCommandIsKilled() throws Exception {
    Path folder = temporary.resolve("mine");
    Process command = command("--servers=1", "--data-nodes=1", "--path=" + folder);
    try (BufferedReader reader = command.inputReader()) {
      List<ProcessHandle> processes = processes(next(reader, "started"));
      assertThat(processes).hasSize(5).allMatch(ProcessHandle::isAlive);
      command.destroyForcibly().waitFor();
      awaitEnd(processes);
      assertThat(Files.exists(folder.resolve("regionserver-1/regionserver-1.log"))).isTrue();
    } finally {
      command.destroyForcibly();
    }
  }
}
