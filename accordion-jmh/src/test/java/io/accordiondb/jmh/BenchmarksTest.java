// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment, so that none of them stops working unnoticed. */
@Tag("slow")
class BenchmarksTest {
  private static final int BENCHMARKS = 33;

  @Test
  void everyBenchmarkRuns() throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include("io.accordiondb")
            .forks(0)
            .param("blocks", "64")
            .param("tombstones", "100")
            .param("shape", "DISJOINT")
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(20))
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    Collection<RunResult> results = new Runner(options).run();
    assertThat(results).hasSize(BENCHMARKS);
    assertThat(results)
        .allSatisfy(
            result ->
                assertThat(result.getPrimaryResult().getScore())
                    .as(result.getParams().getBenchmark())
                    .isPositive());
  }
}
