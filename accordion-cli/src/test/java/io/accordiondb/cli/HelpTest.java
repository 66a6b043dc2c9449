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
      if (!name.equals("help") && !name.equals("completion")) {
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
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        checkOption(option);
      }
    }
    command.getCommandSpec().positionalParameters().forEach(HelpTest::checkLabel);
    String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
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
            "help bench compare", "bench compare ");
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
  void sentencesAreNotCut() {
    String help =
        Main.commandLine().getSubcommands().get("demo").getUsageMessage(CommandLine.Help.Ansi.OFF);
    assertThat(help.replaceAll("\\s+", " "))
        .contains("then opens the stores again and verifies every row.")
        .contains("--operations=N rows written under each policy (default 2000000)");
  }
}
