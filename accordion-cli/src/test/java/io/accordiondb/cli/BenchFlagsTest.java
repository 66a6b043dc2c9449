// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class BenchFlagsTest {
  @Test
  void whatAnotherProcessIsGivenNamesEveryFlag() {
    BenchFlags flags = new BenchFlags();
    CommandSpec command = CommandSpec.forAnnotatedObject(flags);
    new CommandLine(command).parseArgs();

    List<String> names =
        flags.arguments().stream().map(argument -> argument.replaceAll("=.*", "")).toList();

    assertThat(command.options())
        .isNotEmpty()
        .extracting(OptionSpec::longestName)
        .isSubsetOf(names);
  }
}
