// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("slow")
class HBaseCommandTest {
  @TempDir Path folder;

  private final StringWriter err = new StringWriter();

  private int execute(String... arguments) {
    CommandLine command = HBaseCommand.commandLine();
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--policy=LAZY",
        "--policy=",
        "--servers=0",
        "--servers=-1",
        "--servers=9",
        "--servers=3 --data-nodes=0",
        "--servers=3 --data-nodes=4",
        "--servers=3 --zookeeper-port=70000",
        "--servers=3 --zookeeper-port=-1",
        "--servers=3 --kill-every=30",
        "--servers=3 --kill-every=0s",
        "--servers=3 --kill-every=soon"
      })
  void refusesWrongUseBeforeItStartsAnything(String arguments) {
    assertThat(execute(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains("expected").doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--keep", "--kill-every=30s", "--json", "--path=x", "--data-nodes=2"})
  void refusesWhatOnlyAClusterOfProcessesHas(String argument) {
    assertThat(execute(argument)).isEqualTo(2);
    assertThat(err.toString()).contains("--servers=N").doesNotContain("\tat ");
  }

  @Test
  void refusesAFolderThatIsNotEmpty() throws IOException {
    Files.writeString(folder.resolve("mine"), "");
    assertThat(execute("--servers=1", "--path=" + folder)).isEqualTo(1);
    assertThat(err.toString()).contains(folder + " is not empty: it has mine");
    assertThat(folder).isDirectoryContaining("glob:**mine");
  }

  @Test
  void refusesAPortThatIsTaken() throws IOException {
    Path empty = folder.resolve("new");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThat(execute("--servers=1", "--path=" + empty, "--zookeeper-port=" + port))
          .isEqualTo(1);
      assertThat(err.toString()).contains("port " + port + " is taken");
      assertThat(empty).isEmptyDirectory();
    }
  }

  @Test
  void tellsHowAClientConnectsAndHowATableGetsThePlugIn() {
    assertThat(HBaseCommand.clientLines("localhost", "2182", "/hbase", false))
        .contains("  configuration.set(\"hbase.zookeeper.quorum\", \"localhost\");")
        .contains("  configuration.set(\"hbase.zookeeper.property.clientPort\", \"2182\");")
        .anyMatch(line -> line.contains("\"hbase.regionserver.memstore.class\""))
        .anyMatch(line -> line.contains("io.accordiondb.hbase.AccordionMemStore"));
    assertThat(HBaseCommand.clientLines("localhost", "2182", "/hbase", true))
        .noneMatch(line -> line.contains("AccordionMemStore"))
        .contains("All user tables have Accordion's memory store.");
  }
}
