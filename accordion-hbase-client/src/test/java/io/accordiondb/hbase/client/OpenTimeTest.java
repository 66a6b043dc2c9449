// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long an empty JVM takes to open a connection and write a row; prints it. */
@Tag("slow")
class OpenTimeTest {
  /** Far above what it takes, so that a busy machine does not fail the test. */
  private static final int SECONDS_MAX = 60;

  @TempDir Path folder;

  /** Opens a store in a new JVM and prints the milliseconds since its start. */
  static final class Program {
    private Program() {}

    /** Opens the store in the folder that is the only argument. */
    public static void main(String[] arguments) throws Exception {
      long begun = ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
      long main = System.currentTimeMillis();
      try (Connection connection = EmbeddedConnection.open(Path.of(arguments[0]))) {
        long opened = System.currentTimeMillis();
        Table table = TestTables.create(connection, TableName.valueOf("t"), 1, "f");
        table.put(new Put(Bytes.toBytes("row")).addColumn(TestTables.F, TestTables.Q, new byte[1]));
        System.out.printf(
            "OPEN main after %d ms, connection after %d ms, first row after %d ms, %d ms of CPU%n",
            main - begun,
            opened - begun,
            System.currentTimeMillis() - begun,
            ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis());
      }
    }
  }

  @Test
  void opensSoonAfterTheStartOfAJvm() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                List.of(
                    java.toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Program.class.getName(),
                    folder.resolve("store").toString()))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    assertThat(output).contains("OPEN main after");
    assertThat(process.exitValue()).isZero();
    System.out.println(output.lines().filter(line -> line.startsWith("OPEN")).findFirst().get());
  }
}
