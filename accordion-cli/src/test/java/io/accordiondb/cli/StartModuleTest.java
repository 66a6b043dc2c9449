// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script {@code accordion} runs a command with the libraries of the module that has it. The JDK
 * is one that prints its arguments.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "runs a bash script")
class StartModuleTest {
  private static final List<String> MODULES =
      List.of("accordion-cli", "accordion-hbase-tools", "accordion-kafka-tools");

  @TempDir Path folder;

  private Path root;

  private record Ended(int exitCode, String output) {}

  @BeforeEach
  void layOutACheckout() throws IOException {
    root = Files.createDirectory(folder.resolve("checkout"));
    Files.copy(Path.of("../accordion"), root.resolve("accordion"));
    for (String module : MODULES) {
      Files.createDirectories(root.resolve(module + "/target/launcher/lib"));
      Files.createFile(root.resolve(module + "/target/launcher/lib/.built"));
    }
    Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
    for (String program : List.of("java", "javac")) {
      Files.writeString(bin.resolve(program), "#!/bin/sh\nprintf '<%s>' \"$@\"\n");
      assertThat(bin.resolve(program).toFile().setExecutable(true)).isTrue();
    }
    Files.writeString(folder.resolve("jdk/release"), "JAVA_RUNTIME_VERSION=\"21.0.9+10\"\n");
  }

  private Ended run(List<String> words) throws Exception {
    return run(words, environment -> {});
  }

  private Ended run(List<String> words, Consumer<Map<String, String>> change) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", root.resolve("accordion").toString()));
    command.addAll(words);
    ProcessBuilder script = new ProcessBuilder(command).redirectErrorStream(true);
    script.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    script.environment().put("ACCORDION_ARCHIVE", "0");
    change.accept(script.environment());
    Process process = script.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  private void assertRuns(String line, String module, String mainAndArguments) throws Exception {
    Ended ended = run(Arrays.asList(line.split(" ")));
    assertThat(ended.output()).as(line).endsWith(mainAndArguments);
    for (String other : MODULES) {
      // HBase's tools have the command line's libraries, too.
      if (!other.equals("accordion-cli")) {
        assertThat(ended.output().contains(other)).as(line).isEqualTo(other.equals(module));
      }
    }
    assertThat(ended.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo --dir hbase --operations 10",
        "demo --dir=hbase-test",
        "bench write --dir hbase",
        "bench compare --html=hbase.html --plots hbase-plots --engines accordion,rocksdb",
        "ycsb load -P workloada -p accordion.dir=hbase --dir hbase",
        "paper all --out hbase",
        "store info hbase",
        "store import hbase table hbase-cells --format jsonl",
        "shell hbase",
        "help bench compare",
        "bench compare streams"
      })
  void aNameThatBeginsAsHBasesNeedsNoHBase(String line) throws Exception {
    assertRuns(line, "accordion-cli", "<io.accordiondb.cli.Main><" + line.replace(" ", "><") + ">");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench write --engine hbase-none",
        "bench write --engine=hbase-none --dir x",
        "bench compare --engines=accordion,hbase-accordion",
        "bench compare --rounds 1 --engines hbase-accordion,rocksdb",
        "bench matrix --baseline hbase-none",
        "ycsb run -P workloada --engine hbase-basic",
        "paper all --host hbase",
        "paper all --host=HBASE",
        "store export db table file --format hfile",
        "store import --format=SNAPSHOT db table file"
      })
  void enginesAndFilesOfHBaseNeedIt(String line) throws Exception {
    assertRuns(
        line,
        "accordion-hbase-tools",
        "<io.accordiondb.cli.Main><" + line.replace(" ", "><") + ">");
  }

  /** A service of the system may have none. */
  @Test
  void needsNoHomeFolder() throws Exception {
    Ended ended = run(List.of("store", "info", "db"), environment -> environment.remove("HOME"));
    assertThat(ended.output()).endsWith("<io.accordiondb.cli.Main><store><info><db>");
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void saysThatItCannotBuildWhereItMustNotWrite() throws Exception {
    Files.delete(root.resolve("accordion-cli/target/launcher/lib/.built"));
    Files.createFile(root.resolve(".accordion-build.lock"));
    Ended ended = run(List.of("store", "info", "db"));
    assertThat(ended.output()).contains("accordion: cannot build", ".accordion-build.lock");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void helpIsThatOfTheCommand() throws Exception {
    String hbase = "<io.accordiondb.hbase.tools.HBaseCommand><--help>";
    String streams = "<io.accordiondb.kafka.tools.StreamsBench><--help>";
    String memory = "<io.accordiondb.kafka.tools.StreamsMemoryBench><--help>";
    for (String words : List.of("hbase --help", "help hbase")) {
      assertRuns(words, "accordion-hbase-tools", hbase);
    }
    for (String words : List.of("bench streams --help", "help bench streams")) {
      assertRuns(words, "accordion-kafka-tools", streams);
    }
    assertRuns("help bench streams-memory", "accordion-kafka-tools", memory);
  }

  @Test
  void theDistributionHasNeitherHBaseNorKafka() throws Exception {
    Files.createDirectory(root.resolve("lib"));
    for (String line :
        List.of("hbase --help", "bench streams", "bench write --engine hbase-none")) {
      Ended ended = run(Arrays.asList(line.split(" ")));
      assertThat(ended.exitCode()).as(line).isEqualTo(Main.EXIT_UNAVAILABLE);
      assertThat(ended.output()).contains("build from the sources");
    }
    for (String line : List.of("help hbase", "help bench streams", "demo --dir hbase")) {
      assertRuns(
          line, "accordion-cli", "<io.accordiondb.cli.Main><" + line.replace(" ", "><") + ">");
    }
  }
}
