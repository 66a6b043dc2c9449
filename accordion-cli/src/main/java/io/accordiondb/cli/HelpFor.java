// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code accordion help}: the help of a command at any depth, unlike picocli's own command. */
@Command(
    name = "help",
    helpCommand = true,
    mixinStandardHelpOptions = true,
    description = "Prints the help of a command, for example: help store verify.")
final class HelpFor implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "the words of the command")
  private List<String> words = new ArrayList<>();

  @Override
  public void run() {
    CommandLine command = spec.parent().commandLine();
    for (String word : words) {
      CommandLine below = command.getSubcommands().get(word);
      if (below == null) {
        throw new ParameterException(command, "there is no command \"" + word + "\"");
      }
      command = below;
    }
    command.usage(spec.commandLine().getOut());
  }
}
