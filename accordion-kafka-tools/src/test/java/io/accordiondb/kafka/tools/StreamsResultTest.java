// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.bench.BenchResult.Latency;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class StreamsResultTest {
  private static final StreamsResult RESULT =
      new StreamsResult(
          "windowed-aggregation",
          "rocksdb-bounded",
          123_456,
          234_567,
          new Latency(5.25, 9, 19.5, 1_234, 12_345, 123_456),
          1_234_567,
          600_000_000,
          70_000_000);

  @Test
  void aRunTellsItsResultAsOneLineOfJson() throws IOException {
    assertThat(RESULT.json()).doesNotContain("\n").contains("\"p9999\":12345.0");
    assertThat(StreamsResult.parse(RESULT.json())).isEqualTo(RESULT);
  }

  @Test
  void aLineOfTheTableHasAllPercentiles() {
    assertThat(StreamsBench.line(RESULT))
        .matches(
            "windowed-aggregation rocksdb-bounded +123,456 +234,567 +5.3 +19.5 +1,234 +12,345"
                + " +123,456 +1,234,567 +600 +70")
        .hasSizeLessThanOrEqualTo(141);
  }
}
