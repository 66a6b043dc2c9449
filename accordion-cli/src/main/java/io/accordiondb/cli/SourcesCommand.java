// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.bench.engine.EngineUnavailableException;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * A command that the script {@code accordion} of the sources runs with libraries that the
 * distribution has not. Here it has a name and a description, for help and completion.
 */
@Command(
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The distribution does not have this command. In the sources its help has the options."
    })
final class SourcesCommand implements Callable<Integer> {
  /** Adds to a command those below it that only the sources have. */
  static void add(CommandLine accordion) {
    add(
        accordion,
        "hbase",
        "Starts a local Apache HBase with Accordion's memory store; needs the sources.");
    CommandLine bench = Objects.requireNonNull(accordion.getSubcommands().get("bench"));
    add(bench, "streams", "Measures topologies of Kafka Streams on two kinds of state stores.");
    add(bench, "streams-memory", "Measures the memory of state stores of Kafka Streams.");
  }

  private static void add(CommandLine parent, String name, String description) {
    CommandLine command = new CommandLine(new SourcesCommand());
    command.getCommandSpec().usageMessage().description(description);
    parent.addSubcommand(name, command);
  }

  @Override
  public Integer call() throws EngineUnavailableException {
    throw new EngineUnavailableException(
        "the script accordion of the sources runs this command; the distribution does not have it");
  }
}
