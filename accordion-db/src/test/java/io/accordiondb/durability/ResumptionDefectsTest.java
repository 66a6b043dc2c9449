// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plants defects in how writes go on after a failure that passes, each of which storms find. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ResumptionDefectsTest {
  private static final String TEST =
      "durability.PassingFaultsTest#whatIsAcknowledgedSurvivesStorms";

  /** What is wrong. */
  private enum Wrong {
    BUFFERED_RECORDS_ARE_DROPPED(classes().stub("internal.wal.WriteAheadLog", "settle")),
    THE_MANIFEST_STAYS_SUSPENDED(classes().stub("internal.manifest.Manifest", "resume")),
    FLUSHES_REFUSED_ARE_NOT_ASKED_FOR_AGAIN(
        classes().stub("internal.region.Store", "endFlushRequest"));

    private final DefectiveClasses classes;

    Wrong(DefectiveClasses classes) {
      this.classes = classes;
    }

    private static DefectiveClasses classes() {
      return new DefectiveClasses();
    }
  }

  @ParameterizedTest
  @EnumSource
  void byStorms(Wrong wrong) throws ClassNotFoundException {
    assertThat(wrong.classes.failureOf(TEST)).isNotNull();
  }
}
