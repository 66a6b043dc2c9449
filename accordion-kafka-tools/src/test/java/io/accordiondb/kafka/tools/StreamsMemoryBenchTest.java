// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Runs the command with few records. Each run fails if it does not read what it has written. */
@Tag("slow")
class StreamsMemoryBenchTest {
  @Test
  void measuresTasks() {
    measure("--tasks=2", "--records=1000", "--engines=ACCORDION");
  }

  @Test
  @Tag("long")
  void comparesEngines() {
    measure("--tasks=3", "--records=3000", "--engines=ACCORDION,ROCKSDB_BOUNDED");
  }

  private static void measure(String tasks, String records, String engines) {
    String[] arguments = {tasks, records, engines, "--heap-mib=64"};
    assertThat(new CommandLine(new StreamsMemoryBench()).execute(arguments)).isZero();
  }
}
