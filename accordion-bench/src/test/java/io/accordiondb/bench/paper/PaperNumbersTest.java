// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.accordiondb.bench.Distribution;
import org.junit.jupiter.api.Test;

/** The paper's figures against what its text says of them. */
class PaperNumbersTest {
  @Test
  void tableOneGivesTheSpeedupsOfTheTextButForZipfian() {
    assertThat(speedup(Distribution.UNIFORM, Disk.NONE)).isCloseTo(0.238, within(0.0005));
    assertThat(speedup(Distribution.UNIFORM, Disk.HDD)).isCloseTo(0.089, within(0.0005));
    // The text says 47.6% and 25.4%.
    assertThat(speedup(Distribution.ZIPFIAN, Disk.SSD)).isCloseTo(0.526, within(0.0005));
    assertThat(speedup(Distribution.ZIPFIAN, Disk.HDD)).isCloseTo(0.297, within(0.0005));
  }

  private static double speedup(Distribution distribution, Disk disk) {
    return PaperNumbers.basicThroughput(distribution, disk).value() - 1;
  }

  @Test
  void tableTwoGivesTheSavingsOfTheText() {
    // "slashes the number of flushes and compactions by 58% and 61%", about.
    assertThat(PaperNumbers.flushes(PaperNumbers.ADAPTIVE, Disk.HDD).value())
        .isCloseTo(1 - 0.58, within(0.005));
    assertThat(PaperNumbers.compactions(PaperNumbers.ADAPTIVE, Disk.HDD).value())
        .isCloseTo(1 - 0.61, within(0.005));
    assertThat(PaperNumbers.flushes(PaperNumbers.ADAPTIVE, Disk.SSD).value())
        .isCloseTo(0.43, within(0.001));
    assertThat(PaperNumbers.compactions(PaperNumbers.ADAPTIVE, Disk.SSD).source())
        .isEqualTo("Table 2: 209 / 524");
  }
}
