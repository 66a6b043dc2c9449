// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("slow")
class HBaseCommandTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"--policy=LAZY", "--policy=", "--servers=0", "--servers=-1", "--servers=1000"})
  void refusesWrongUseBeforeItStartsAnything(String argument) {
    StringWriter err = new StringWriter();
    CommandLine command = HBaseCommand.commandLine();
    command.setErr(new PrintWriter(err));
    assertThat(command.execute(argument)).isEqualTo(2);
    assertThat(err.toString()).contains("expected").doesNotContain("\tat ");
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
