// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

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
}
