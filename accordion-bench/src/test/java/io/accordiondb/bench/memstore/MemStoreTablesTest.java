// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.bench.BenchResult.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemStoreTablesTest {
  private static MemStoreFigures figures(double putsPerSecond, double longest) {
    return new MemStoreFigures(
        putsPerSecond,
        new Latency(50, 60, 70.25, 80, 900, longest),
        List.of(),
        600_000,
        80,
        221.5,
        0.074,
        250_000,
        2_500_000,
        90_000,
        5,
        0,
        0,
        0,
        0,
        0.125,
        300_000_000);
  }

  @Test
  void showMediansRatiosAndAllPercentilesWithinATerminal() {
    Map<String, List<MemStoreFigures>> runs = new LinkedHashMap<>();
    runs.put("NONE", List.of(figures(200_000, 5000)));
    runs.put("BASIC/HEAP_CHUNKS/ARRAY", List.of(figures(1_000_000, 7000), figures(500_000, 9000)));
    MemStoreTables tables = new MemStoreTables(runs);
    assertThat(tables.rates().lines())
        .containsExactly(
            "variant                   puts/s  ratio   hits/s  ratio   misses/s  ratio  scans/s"
                + "  ratio  segments",
            "NONE                     200,000   1.00  250,000   1.00  2,500,000   1.00   90,000"
                + "   1.00         5",
            "BASIC/HEAP_CHUNKS/ARRAY  750,000   3.75  250,000   1.00  2,500,000   1.00   90,000"
                + "   1.00         5");
    assertThat(tables.batches().lines())
        .containsExactly(
            "batches of               p50 µs  p99 µs  p99.9 µs  p99.99 µs  longest µs  absorbed"
                + "  B over  B heap  GC %  dropped %  peak MB",
            "NONE                       50.0    70.3        80        900       5,000   600,000"
                + "    80.0   221.5   7.4       12.5      300",
            "BASIC/HEAP_CHUNKS/ARRAY    50.0    70.3        80        900       8,000   600,000"
                + "    80.0   221.5   7.4       12.5      300");
  }
}
