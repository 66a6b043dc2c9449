// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.documents.RatioChart.Bar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The charts of ratios show what the table of regimes in docs/PERFORMANCE.md has. {@code
 * -Dcharts.update=true} draws them again.
 */
final class RatioChartTest {
  /** The regimes of the short chart, which the README has. */
  private static final List<String> SHORT =
      List.of(
          "batched writes, zipfian",
          "batched writes, uniform",
          "single puts",
          "gets, zipfian",
          "gets, uniform",
          "scans of 50 rows",
          "reverse scans of 50 rows",
          "YCSB A");

  @Test
  void theChartsShowTheTable() throws IOException {
    List<Bar> bars = bars();
    List<Bar> few = bars.stream().filter(bar -> SHORT.contains(bar.label())).toList();
    assertThat(few).hasSameSizeAs(SHORT);
    check("ratios.svg", RatioChart.svg("Operations a second, RocksDB JNI = 1", bars));
    check("ratios-short.svg", RatioChart.svg("Operations a second, RocksDB JNI = 1", few));
  }

  private static void check(String name, String svg) throws IOException {
    Path file = Document.REPOSITORY.resolve("docs/images").resolve(name);
    if (Boolean.getBoolean("charts.update")) {
      Files.writeString(file, svg);
    } else {
      assertThat(file).hasContent(svg);
    }
  }

  /** Reads the column "median" of the table whose first column is "regime". */
  private static List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    int median = -1;
    for (String line : Document.read(Path.of("docs/PERFORMANCE.md")).lines()) {
      String[] cells = line.split("\\|");
      if (line.startsWith("| regime |")) {
        median = List.of(cells).indexOf(" median ");
      } else if (!line.startsWith("|")) {
        median = -1;
      } else if (median > 0 && !line.startsWith("|---")) {
        bars.add(new Bar(cells[1].strip(), Double.parseDouble(cells[median].strip())));
      }
    }
    assertThat(bars).hasSizeGreaterThan(20);
    return bars;
  }
}
