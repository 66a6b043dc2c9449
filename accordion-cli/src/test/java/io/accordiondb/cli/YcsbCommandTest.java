// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In processes of their own, because YCSB's client ends the process that it runs in. */
@Tag("slow")
class YcsbCommandTest {
  private static final String RECORDS = "-precordcount=200";
  private static final String OPERATIONS = "-poperationcount=1000";

  @TempDir Path folder;

  private String ycsb(String phase, String engine, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("ycsb", phase, "--engine=" + engine));
    arguments.addAll(List.of("--dir=" + folder.resolve(engine), RECORDS, OPERATIONS));
    arguments.addAll(List.of(more));
    return ChildProcess.run(arguments);
  }

  @Test
  void loadsAndRunsOnAnotherEngine() throws IOException {
    assertThat(ycsb("load", "rocksdb", "-P", "workloadf"))
        .contains("[OVERALL], Throughput(ops/sec)", "[INSERT], Return=OK, 200");
    assertThat(ycsb("run", "rocksdb", "-P", "workloadf", "-threads", "2"))
        .contains("[READ-MODIFY-WRITE], Operations")
        .doesNotContain("NOT_FOUND", "ERROR");
  }

  @Test
  void loadsAndRunsYcsbsOwnWorkloadsAndDrawsLatencyOverTime() throws IOException {
    String engine = "accordion";
    Path plots = folder.resolve("plots");
    assertThat(ycsb("load", engine, "-P", "workloada", "-threads", "2", "--plots=" + plots))
        .contains("[OVERALL], Throughput(ops/sec)", "[INSERT], Return=OK, 200");
    assertThat(plots.resolve("latency-over-time-load.svg"))
        .content()
        .as("inserts")
        .contains("rgb(0,114,178)")
        .doesNotContain("rgb(230,159,0)");
    assertThat(ycsb("run", engine, "-P", "workloada", "-threads", "2", "--plots=" + plots))
        .contains("[READ], Return=OK", "[UPDATE], Return=OK", "[UPDATE], 99thPercentileLatency(us)")
        .doesNotContain("NOT_FOUND", "ERROR");
    assertThat(plots.resolve("latency-over-time-run.svg"))
        .content()
        .as("reads and updates")
        .contains("rgb(0,114,178)", "rgb(230,159,0)")
        .doesNotContain("rgb(0,158,115)");
    assertThat(plots.resolve("rate-over-time-run.png")).isNotEmptyFile();
    assertThat(ycsb("run", engine, "-P", "workloade", "-target", "100000"))
        .contains("[SCAN], Return=OK", "[INSERT], Return=OK")
        .doesNotContain("ERROR");
    assertThat(ycsb("run", engine, "-P", "workloadf"))
        .contains("[READ-MODIFY-WRITE], Operations")
        .doesNotContain("NOT_FOUND", "ERROR");
  }

  @Test
  void runsThePapersWorkloadInBatches() throws IOException {
    assertThat(ycsb("load", "accordion", "-P", "paper-read-write"))
        .contains("[INSERT], Return=BATCHED_OK");
    assertThat(ycsb("run", "accordion", "-P", "paper-read-write", "-pthreadcount=3"))
        .contains("[UPDATE], Return=BATCHED_OK", "[READ], Return=OK")
        .doesNotContain("NOT_FOUND", "ERROR");
  }

  @Test
  void keepsFieldsInColumnsIfToldTo() throws IOException {
    assertThat(ycsb("load", "accordion", "-P", "workloadf", "--layout=columns"))
        .contains("[INSERT], Return=OK, 200");
    assertThat(ycsb("run", "accordion", "-P", "workloadf", "--layout=columns"))
        .contains("[READ-MODIFY-WRITE], Operations")
        .doesNotContain("NOT_FOUND", "ERROR");
  }

  @Test
  void takesAFileAndLetsLaterPropertiesWin() throws IOException {
    Path file = Files.writeString(folder.resolve("mine"), "recordcount=7\nfieldcount=1\n");
    List<String> arguments = new ArrayList<>(List.of("ycsb", "load", "-P", "workloadc"));
    arguments.addAll(List.of("-P", file.toString(), "--dir=" + folder.resolve("store")));
    assertThat(ChildProcess.run(arguments)).contains("[INSERT], Operations, 7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ycsb",
        "ycsb load",
        "ycsb run -P no-such-workload",
        "ycsb load -P workloada --engine nothing",
        "ycsb load -P workloada -p accordion.policy=LAZY",
        "ycsb load -P workloada -p accordion.no-such-option=1",
        "ycsb load -P workloada -p accordion.batchbytes=1",
        "ycsb load -P workloada -p recordcount=many",
        "ycsb load -P workloada -p recordcount=0",
        "ycsb load -P workloada -p operationcount=-1",
        "ycsb load -P workloada -p recordcount=3000000000",
        "ycsb run -P workloada -p operationcount=3000000000",
        "ycsb run -P workloada -target 1 -p maxexecutiontime=3000000000",
        "ycsb load -P workloada -p readproportion=half",
        "ycsb load -P workloada -p status.interval=0",
        "ycsb load -P workloada --plots plots -p exporter=Mine",
        "ycsb load -P workloada -p requestdistribution=lumpy",
        "ycsb load -P workloada -p workload=no.such.Class",
        "ycsb load -P workloada -threads 0",
        "ycsb load -P workloada -target -1",
        "ycsb load -P workloada --engine leveldb -p engine.durability=LAZY",
        "ycsb load -P workloada --engine leveldb -p engine.memorybytes=0",
        "ycsb load -P workloada --engine rocksdb --layout columns"
      })
  void refusesWrongUseWithExitCodeTwo(String line) {
    StringWriter err = new StringWriter();
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    if (words.size() > 2) {
      words.add("--dir=" + folder.resolve("store"));
    }
    assertThat(run(err, words.toArray(new String[0]))).isEqualTo(2);
    assertThat(err.toString()).isNotBlank().doesNotContain("\tat ", "For input string");
    assertThat(folder.resolve("store")).doesNotExist();
  }

  @Test
  void namesAFolderInThePlaceOfAWorkload() {
    StringWriter err = new StringWriter();
    assertThat(run(err, "ycsb", "load", "-P", folder.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(folder + ": Is a directory; give the path of a file");
    assertThat(run(err, "ycsb", "load", "-P", "")).isEqualTo(2);
    assertThat(err.toString()).contains("-P is empty");
  }

  private static int run(StringWriter err, String... arguments) {
    return Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), arguments);
  }

  @Test
  void saysWhyAStoreCannotBeOpened() throws IOException {
    StringWriter err = new StringWriter();
    try (Database open = Database.open(folder)) {
      assertThat(open.tables()).isEmpty();
      assertThat(run(err, "ycsb", "load", "-P", "workloada", "--dir=" + folder)).isEqualTo(1);
    }
    assertThat(err.toString()).contains("is open already").doesNotContain("\tat ");
  }
}
