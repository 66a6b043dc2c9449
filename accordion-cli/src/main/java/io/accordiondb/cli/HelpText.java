// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Completes the help of options for all commands: it names values by their meaning, and adds the
 * default if the description does not state it.
 */
final class HelpText {
  /** Columns of the help, which terminals and documents have. */
  private static final int WIDTH = 100;

  private static final String STATES_DEFAULT = "(default";

  private HelpText() {}

  /** Completes the options of a command and of all below it. */
  static void complete(CommandLine command) {
    command.setUsageHelpWidth(WIDTH);
    CommandSpec spec = command.getCommandSpec();
    if (spec.versionProvider() == null && spec.version().length == 0) {
      // Each command has the option --version.
      spec.versionProvider(new BuildVersion());
    }
    // Keep their order: it determines which argument is passed to which parameter of a method.
    for (ArgSpec argument : List.copyOf(spec.args())) {
      if (argument.group() == null) {
        spec.remove(argument);
        spec.add(argument instanceof OptionSpec option ? completed(option) : argument);
      }
    }
    command.getSubcommands().values().forEach(HelpText::complete);
  }

  private static OptionSpec completed(OptionSpec option) {
    if (option.usageHelp() || option.versionHelp()) {
      return option;
    }
    OptionSpec.Builder builder = OptionSpec.builder(option);
    if (option.paramLabel().startsWith("<")) {
      builder.paramLabel(label(option));
    }
    if (lacksDefault(option)) {
      String[] description = option.description().clone();
      int last = description.length - 1;
      description[last] = description[last] + " (default ${DEFAULT-VALUE})";
      builder.description(description);
      if (option.defaultValue() == null) {
        builder.defaultValue(String.valueOf(option.initialValue()));
      }
    }
    return builder.build();
  }

  private static boolean lacksDefault(OptionSpec option) {
    boolean isNumber = option.type().isPrimitive() && option.type() != boolean.class;
    String given = option.defaultValue();
    boolean hasDefault = given == null ? isNumber && !option.required() : !given.isEmpty();
    return hasDefault
        && option.description().length > 0
        && !String.join(" ", option.description()).contains(STATES_DEFAULT);
  }

  /** Returns what the value of an option is: a unit, or the last word of what it is called here. */
  private static String label(OptionSpec option) {
    String name = option.paramLabel().replaceAll("[<>]", "");
    String word = name.replaceAll(".*(?=[A-Z])", "").toUpperCase(Locale.ROOT);
    Class<?> type = option.typeInfo().getType();
    if (type == Path.class) {
      return word.equals("FILE") ? word : "FOLDER";
    }
    if (word.equals("MEGABYTES")) {
      return "MB";
    }
    boolean isNumber = type.isPrimitive() || Number.class.isAssignableFrom(type);
    return isNumber && !word.equals("FRACTION") ? "N" : word;
  }
}
