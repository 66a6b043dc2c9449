// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.JavaProcess.javaProcess;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.cli.top.LiveProcess;
import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class TopCommandTest {
  private static final long SECONDS_MAX = 60;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int top(String... arguments) {
    List<String> all = new ArrayList<>(List.of("top"));
    all.addAll(List.of(arguments));
    return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(new String[0]));
  }

  private Database open(String name) throws IOException {
    return Database.open(
        folder.resolve(name), DatabaseOptions.builder().memoryBytes(4 << 20).jmx(true).build());
  }

  @Test
  void printsALineForEachReadingOfAProcess() throws IOException {
    try (Database database = open("store")) {
      database.keyValueStore("s").put(new byte[] {1}, new byte[] {1});
      String pid = Long.toString(ProcessHandle.current().pid());
      assertThat(top(pid, "--count=2", "--interval=50")).isZero();
      assertThat(out.toString().lines()).filteredOn(line -> line.contains("store: ")).hasSize(2);
    }
  }

  @Test
  void findsTheProcessByTheFolder() throws IOException {
    try (Database database = open("store")) {
      database.keyValueStore("s").put(new byte[] {1}, new byte[] {1});
      assertThat(top(folder.resolve("store").toString(), "--count=1", "--json")).isZero();
      JsonNode object = new ObjectMapper().readTree(out.toString());
      assertThat(object.path("writes.cells").asLong()).isEqualTo(1);
      assertThat(object.path("stores").path(0).path("policy").asText()).isEqualTo("ADAPTIVE");
    }
  }

  @Test
  void findsTheFolderThroughALinkAndNoOtherDatabase() throws IOException {
    Path link = folder.resolve("link");
    try (Database database = open("store");
        Database other = open("other");
        Database silent = Database.open(folder.resolve("silent"))) {
      assertThat(other.tables()).isEqualTo(silent.tables());
      database.keyValueStore("s").put(new byte[] {1}, new byte[] {1});
      Files.createSymbolicLink(link, folder.resolve("store"));
      assertThat(top(link.toString(), "--count=1", "--json")).as(err.toString()).isZero();
      JsonNode object = new ObjectMapper().readTree(out.toString());
      assertThat(object.path("database").asText()).isEqualTo(folder.resolve("store").toString());
      assertThat(object.at("/stores/0/uniqueness").isNull()).isTrue();
      assertThat(top(folder.resolve("silent").toString(), "--count=1")).isEqualTo(1);
      assertThat(err.toString())
          .contains("has no figures of " + folder.resolve("silent"), "jmx(true)");
    }
  }

  @Test
  void findsADatabaseThatWasOpenedAfterAReaderOfItsFolder() throws IOException {
    open("store").close();
    Path store = folder.resolve("store");
    Database reader =
        Database.open(store, DatabaseOptions.builder().readOnly(true).jmx(true).build());
    try (Database writer = open("store")) {
      reader.close();
      writer.keyValueStore("s").put(new byte[] {1}, new byte[] {1});
      assertThat(top(store.toString(), "--count=1", "--json")).as(err.toString()).isZero();
      JsonNode object = new ObjectMapper().readTree(out.toString());
      assertThat(object.path("database").asText()).isEqualTo(store + " (2)");
    }
  }

  @Test
  void theFirstLineHasRates() throws Exception {
    try (Database database = open("store")) {
      KeyValueStore store = database.keyValueStore("s");
      AtomicBoolean done = new AtomicBoolean();
      TestThread writer =
          TestThread.start(
              "writer",
              () -> {
                while (!done.get()) {
                  store.put(new byte[] {1}, new byte[] {1});
                }
              });
      assertThat(top(folder.resolve("store").toString(), "--count=1", "--interval=500")).isZero();
      done.set(true);
      writer.join();
      assertThat(out.toString()).hasLineCount(1).containsPattern(": [1-9][0-9,]* cells/s written");
    }
  }

  @Test
  void looksIntoAnotherProcess() throws Exception {
    Path store = folder.resolve("store");
    Path output = folder.resolve("output");
    Process process =
        javaProcess(
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Main.class,
                "bench",
                "write",
                "--operations=100000000",
                "--write-rate=2000",
                "--records=1000",
                "--warmup=0",
                "--memory=16",
                "--dir=" + store)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      await(
          "the figures of the process",
          () -> {
            assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
            int exitCode = top(store.toString(), "--count=1", "--json");
            return exitCode == 0 ? "" : err.toString();
          },
          String::isEmpty);
      JsonNode object = new ObjectMapper().readTree(out.toString());
      assertThat(object.path("database").asText()).isEqualTo(store.toString());
      assertThat(LiveProcess.owner(store)).isEqualTo(process.pid());
    } finally {
      process.destroyForcibly();
      process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
    }
    assertThat(top(store.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no process has the database");
  }

  @Test
  void saysWhyNothingCanBeSeen() throws IOException {
    assertThat(top("")).isEqualTo(2);
    assertThat(err.toString()).contains("FOLDER-or-PID is empty; for this folder, give .");
    assertThat(top("999999999999")).isEqualTo(1);
    assertThat(err.toString()).contains("there is no process 999999999999");
    assertThat(top(folder.resolve("missing").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("missing does not exist");
    assertThat(top(folder.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("there is no database in " + folder);
    Files.writeString(folder.resolve("LOCK"), "not a number\n", StandardCharsets.US_ASCII);
    assertThat(top(folder.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no process has the database in " + folder);
    assertThat(top(Long.toString(ProcessHandle.current().pid()), "--interval=1")).isEqualTo(2);
    assertThat(err.toString()).contains("--interval is 1, expected 50 to 3600000 milliseconds");
  }

  /** A JDK attaches by a signal that ends what is not a JVM. */
  @Test
  void leavesAProcessAloneThatGotTheNumberOfTheOwner() throws Exception {
    assumeThat(Path.of("/proc/self/status")).exists();
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      for (String rest : List.of("", "1\nboot pid\ntoken\n")) {
        Files.writeString(folder.resolve("LOCK"), other.pid() + "\n" + rest);
        assertThat(top(folder.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("no process has the database in " + folder);
        err.getBuffer().setLength(0);
      }
      assertThat(top(Long.toString(other.pid()))).isEqualTo(1);
      assertThat(err.toString()).contains("it is not a Java process of this user");
      assertThat(other.waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void saysThatADatabaseMustBePublished() {
    assertThat(top(Long.toString(ProcessHandle.current().pid()), "--count=1")).isEqualTo(1);
    assertThat(err.toString()).contains("DatabaseOptions.builder().jmx(true)");
  }
}
