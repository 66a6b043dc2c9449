// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.durability.DefectsAreFoundTest.assertFound;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plants defects in how writes go on after a failure that passes, each of which storms find. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ResumptionDefectsTest {
  /** What is wrong. */
  private enum Wrong {
    BUFFERED_RECORDS_ARE_DROPPED(25, defect().stub("internal.wal.WriteAheadLog", "settle")),
    THE_MANIFEST_STAYS_SUSPENDED(5, defect().stub("internal.manifest.Manifest", "resume")),
    A_FAILED_FORCE_OF_THE_LOG_IS_NOT_NOTED(1, defect().stub("internal.wal.LogForcing", "note")),
    FLUSHES_REFUSED_ARE_NOT_ASKED_FOR_AGAIN(
        14, defect().stub("internal.region.Store", "endFlushRequest"));

    private final long firstSeed;
    private final Defect defect;

    Wrong(long firstSeed, Defect defect) {
      this.firstSeed = firstSeed;
      this.defect = defect;
    }

    private static Defect defect() {
      return new Defect();
    }
  }

  @ParameterizedTest
  @EnumSource
  void byStorms(Wrong wrong) {
    assertFound(() -> wrong.defect.hunt("storms", wrong.firstSeed));
  }
}
