// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code accordion completion}. Picocli's own command has another name in its help. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints a script with which bash and zsh complete commands and options.",
    footer = {"", "For the shell that you are in: source <(accordion completion)"})
final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
  }
}
