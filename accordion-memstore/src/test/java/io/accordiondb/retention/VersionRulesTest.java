// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class VersionRulesTest {
  @Test
  void valuesOutsideTheirBoundsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VersionRules(0, 0, 1, KeepDeletedCells.FALSE))
        .withMessageContaining("max versions is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VersionRules(2, 3, 1, KeepDeletedCells.FALSE))
        .withMessageContaining("min versions is 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VersionRules(2, -1, 1, KeepDeletedCells.FALSE))
        .withMessageContaining("min versions is -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VersionRules(2, 0, 0, KeepDeletedCells.FALSE))
        .withMessageContaining("time to live is 0 ms");
  }

  @Test
  void nothingExpiresWithoutATimeToLive() {
    assertThat(VersionRules.DEFAULT.oldestLiveTimestamp(Long.MAX_VALUE)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void aCellLivesForItsTimeToLive() {
    VersionRules rules = new VersionRules(1, 0, 10, KeepDeletedCells.FALSE);
    assertThat(rules.oldestLiveTimestamp(100)).isEqualTo(90);
    assertThat(rules.oldestLiveTimestamp(-100)).isEqualTo(-110);
  }

  @Test
  void nothingExpiresIfItsTimeToLiveReachesBehindAllTimes() {
    VersionRules rules = new VersionRules(1, 0, Long.MAX_VALUE - 1, KeepDeletedCells.FALSE);
    assertThat(rules.oldestLiveTimestamp(-2)).isEqualTo(Long.MIN_VALUE);
    assertThat(rules.oldestLiveTimestamp(-3)).isEqualTo(Long.MIN_VALUE);
    assertThat(rules.oldestLiveTimestamp(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
  }
}
