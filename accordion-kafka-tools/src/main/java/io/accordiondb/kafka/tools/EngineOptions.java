// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The engines that a command measures, and their budget. */
final class EngineOptions {
  private static final int MEMORY_MIB_MIN = 16;

  @Option(
      names = "--memory-mib",
      description = "budget of the engines that have one (default: ${DEFAULT-VALUE})")
  private int memoryMib = 64;

  @Option(
      names = "--engines",
      split = ",",
      description = "${COMPLETION-CANDIDATES} (default: rocksdb, rocksdb_bounded, accordion)")
  private List<StreamsEngine> engines =
      List.of(StreamsEngine.ROCKSDB, StreamsEngine.ROCKSDB_BOUNDED, StreamsEngine.ACCORDION);

  List<StreamsEngine> engines() {
    return engines;
  }

  int memoryMib() {
    return memoryMib;
  }

  /** Refuses a budget that not all engines can have. */
  void check(CommandSpec command) {
    requireWithin(command, "--memory-mib", memoryMib, MEMORY_MIB_MIN, Integer.MAX_VALUE);
  }

  /** Refuses the value of an option before anything is started. */
  static void requireWithin(
      CommandSpec command, String option, long value, long least, long greatest) {
    if (value < least || value > greatest) {
      throw new ParameterException(
          command.commandLine(),
          option
              + " is "
              + value
              + ", expected at "
              + (value < least ? "least " + least : "most " + greatest));
    }
  }

  long memoryBytes() {
    return (long) memoryMib << 20;
  }
}
