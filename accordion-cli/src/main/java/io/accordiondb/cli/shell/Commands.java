// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All commands by their names. */
final class Commands {
  private static final Map<String, Command> BY_NAME = new TreeMap<>();

  static {
    Stream.of(
            GeneralCommands.all(),
            TableCommands.all(),
            ReadCommands.all(),
            WriteCommands.all(),
            BatchCommands.all(),
            UpkeepCommands.all(),
            SnapshotCommands.all(),
            StatusCommands.all())
        .flatMap(List::stream)
        .forEach(command -> BY_NAME.put(command.name(), command));
  }

  private Commands() {}

  /** Returns all commands in the order of their names. */
  static List<Command> all() {
    return List.copyOf(BY_NAME.values());
  }

  /** Returns a command by its name, or null. */
  static @Nullable Command find(String name) {
    return BY_NAME.get(name.toLowerCase(Locale.ROOT));
  }
}
