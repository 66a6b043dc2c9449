// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.util.List;
import picocli.CommandLine.Option;

/** The engines that a command measures, and their budget. */
final class EngineOptions {
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

  long memoryBytes() {
    return (long) memoryMib << 20;
  }
}
