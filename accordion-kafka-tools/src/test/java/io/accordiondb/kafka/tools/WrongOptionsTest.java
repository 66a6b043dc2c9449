// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** Options that the commands refuse before they start anything. */
class WrongOptionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--records=1",
        "--words=0",
        "--value-bytes=0",
        "--value-bytes=2000000",
        "--partitions=0",
        "--threads=0",
        "--cache-mib=-1",
        "--heap-mib=0",
        "--rounds=0",
        "--memory-mib=15"
      })
  void streamsRefuses(String option) {
    assertRefused(new CommandLine(new StreamsBench()), option);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tasks=1,0",
        "--records=0",
        "--value-bytes=0",
        "--value-bytes=65536",
        "--heap-mib=0",
        "--memory-mib=0"
      })
  void streamsMemoryRefuses(String option) {
    assertRefused(new CommandLine(new StreamsMemoryBench()), option);
  }

  private static void assertRefused(CommandLine command, String option) {
    StringWriter printed = new StringWriter();
    command.setErr(new PrintWriter(printed, true));
    assertThat(command.execute(option)).isEqualTo(ExitCode.USAGE);
    assertThat(printed.toString())
        .startsWith(option.substring(0, option.indexOf('=')) + " is ")
        .containsPattern("expected at (least|most)");
  }
}
