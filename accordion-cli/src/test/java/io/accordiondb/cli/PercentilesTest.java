// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.accordiondb.bench.LatencyColumns;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measurements with output of their own print the same percentiles as all others. */
@Tag("slow")
class PercentilesTest {
  private static final String QUEUE = "bench queue --operations 400 --length 20 --parts 2";
  private static final String MEMSTORE =
      "bench memstore --variants NONE --rounds 1 --operations 5000 --records 500 --reads 200"
          + " --memory 1";
  private static final String OPEN =
      "bench open --records 500 --regions 3 --log-records 500 --rounds 2";

  private static String printed(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), line.split(" "));
    assertThat(code).as(err.toString()).isZero();
    return out.toString();
  }

  @ParameterizedTest
  @CsvSource({
    QUEUE + ", /RANGE/1/latencyMicros",
    QUEUE + " --flushed, /KEY/1/latencyMicros",
    MEMSTORE + ", /runs/NONE/0/batchMicros",
    OPEN + ", /replayMicros"
  })
  void areInTextAndInJson(String line, String place) throws IOException {
    assertThat(printed(line)).containsPattern(String.join(" +", LatencyColumns.TITLES));
    JsonNode latency = new ObjectMapper().readTree(printed(line + " --json")).at(place);
    double shorter = 0;
    for (String percentile : new String[] {"p50", "p99", "p999", "p9999", "max"}) {
      assertThat(latency.path(percentile).asDouble())
          .as(percentile)
          .isPositive()
          .isGreaterThanOrEqualTo(shorter);
      shorter = latency.path(percentile).asDouble();
    }
  }
}
