// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of all commands. */
class HelpTest {
  private static final int WIDTH = 100;

  private static List<CommandLine> commands() {
    List<CommandLine> commands = new ArrayList<>();
    add(Main.commandLine(), commands);
    return commands;
  }

  private static void add(CommandLine command, List<CommandLine> commands) {
    commands.add(command);
    for (CommandLine below : command.getSubcommands().values()) {
      String name = below.getCommandName();
      if (!name.equals("help")) {
        add(below, commands);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> everyCommand() {
    assertThat(commands()).hasSizeGreaterThan(30);
    return commands().stream()
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.getCommandSpec().qualifiedName(), () -> check(command)));
  }

  private static void check(CommandLine command) {
    assertThat(command.getCommandSpec().usageMessage().description())
        .as("description")
        .isNotEmpty();
    // The list of a command's subcommands shows the first line alone.
    assertThat(command.getCommandSpec().usageMessage().description()[0]).endsWith(".");
    String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
    assertThat(help).startsWith("Usage: " + command.getCommandSpec().qualifiedName());
    for (OptionSpec option : command.getCommandSpec().options()) {
      // Each part of a description begins a line.
      assertThat(option.description()).as(option.longestName()).hasSize(1);
      if (!option.usageHelp() && !option.versionHelp()) {
        checkOption(option);
      }
    }
    command.getCommandSpec().positionalParameters().forEach(HelpTest::checkLabel);
    for (String line : help.split("\n")) {
      assertThat(line.length()).as(line).isLessThanOrEqualTo(WIDTH);
    }
    assertThat(help).doesNotContain("<arg", "${");
  }

  private static void checkLabel(ArgSpec argument) {
    assertThat(argument.description()).as(argument.toString()).isNotEmpty();
    assertThat(argument.paramLabel()).as(argument.toString()).doesNotContain("<");
  }

  private static void checkOption(OptionSpec option) {
    String name = option.longestName();
    assertThat(String.join(" ", option.description())).as(name).isNotBlank();
    if (option.arity().max() == 0) {
      return;
    }
    checkLabel(option);
    boolean isNumber = option.type().isPrimitive();
    String given = option.defaultValue();
    boolean hasDefault = given == null ? isNumber && !option.required() : !given.isEmpty();
    if (hasDefault) {
      assertThat(String.join(" ", option.description())).as(name).contains("(default");
    }
  }

  @Test
  void theUsefulLineComesLast() {
    StringWriter err = new StringWriter();
    for (String wrong :
        List.of(
            "store compact db",
            "bench write --operations many",
            "bench write --nope",
            "nope",
            "store",
            "inspect db nope",
            "bench write --policy FAST")) {
      err.getBuffer().setLength(0);
      int exitCode =
          Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), wrong.split(" "));
      assertThat(exitCode).as(wrong).isEqualTo(2);
      String[] lines = err.toString().split("\n");
      assertThat(lines[0]).as(wrong).startsWith("Usage: accordion");
      assertThat(lines[lines.length - 1])
          .as(wrong)
          .startsWith("accordion")
          .doesNotContain("java.", "int", "long");
    }
  }

  @Test
  void measurementsOfKafkaStreamsAreNamed() {
    String help =
        Main.commandLine().getSubcommands().get("bench").getUsageMessage(CommandLine.Help.Ansi.OFF);
    assertThat(help).contains("'bench streams'", "'bench streams-memory'");
  }

  @Test
  void helpTellsOfCommandsBelowOthers() {
    Map<String, String> usages =
        Map.of(
            "help", "",
            "help help", "help ",
            "help store verify", "store verify ",
            "store help verify", "store verify ",
            "help bench compare", "bench compare ",
            "help hbase", "hbase ",
            "help bench streams", "bench streams ",
            "help bench streams-memory", "bench streams-memory ",
            "completion --help", "completion ");
    usages.forEach(
        (line, usage) -> {
          StringWriter out = new StringWriter();
          StringWriter err = new StringWriter();
          int exitCode = Main.run(new PrintWriter(out), new PrintWriter(err), line.split(" "));
          assertThat(exitCode).as(line + ": " + err).isZero();
          assertThat(out.toString()).as(line).startsWith("Usage: accordion " + usage);
        });
    StringWriter err = new StringWriter();
    String[] wrong = {"help", "store", "nope"};
    assertThat(Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), wrong))
        .isEqualTo(2);
    assertThat(err.toString()).contains("accordion store: there is no command \"nope\"");
  }

  @Test
  void commandsOfTheSourcesAreCompletedAndUnavailableHere() {
    StringWriter out = new StringWriter();
    assertThat(Main.run(new PrintWriter(out), new PrintWriter(out), "completion")).isZero();
    assertThat(out.toString())
        .contains("_picocli_accordion_hbase()", "_picocli_accordion_bench_streams()");
    for (String line : List.of("hbase", "bench streams", "bench streams-memory")) {
      StringWriter err = new StringWriter();
      int exitCode = Main.run(new PrintWriter(out), new PrintWriter(err), line.split(" "));
      assertThat(exitCode).as(line).isEqualTo(Main.EXIT_UNAVAILABLE);
      assertThat(err.toString()).startsWith("accordion " + line + ": ").contains("sources");
    }
  }

  @Test
  void everyWorkloadIsNamedWhereNoneIsGiven() {
    StringWriter err = new StringWriter();
    assertThat(Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), "bench"))
        .isEqualTo(2);
    List<String> lines = err.toString().lines().toList();
    assertThat(lines.get(lines.size() - 1).split("[ ,]+"))
        .contains("write", "queue", "memstore", "mixed-scan");
  }

  @Test
  void sentencesAreNotCut() {
    String help =
        Main.commandLine().getSubcommands().get("demo").getUsageMessage(CommandLine.Help.Ansi.OFF);
    assertThat(help.replaceAll("\\s+", " "))
        .contains("then opens the stores again and verifies every row.")
        .contains("--operations=N rows written under each policy (default 2000000)");
  }
}
