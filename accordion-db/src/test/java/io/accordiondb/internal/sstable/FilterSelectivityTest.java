// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FilterSelectivityTest {
  private final FilterSelectivity selectivity = new FilterSelectivity();

  private int asked(int searches, boolean mayContain) {
    int asked = 0;
    for (int i = 0; i < searches; i++) {
      if (selectivity.isWorthAsking()) {
        asked++;
        selectivity.answered(mayContain);
      }
    }
    return asked;
  }

  @Test
  void asksUntilNothingIsRefusedForLongAndBeginsAgainWhenSomethingIs() {
    assertThat(asked(100, false)).isEqualTo(100);
    assertThat(asked(100_000, true)).isBetween(500, 20_000);
    assertThat(asked(100_000, true)).isBetween(1, 20_000);
    assertThat(asked(100_000, false)).isGreaterThan(50_000);
    assertThat(asked(1_000, false)).isEqualTo(1_000);
  }
}
