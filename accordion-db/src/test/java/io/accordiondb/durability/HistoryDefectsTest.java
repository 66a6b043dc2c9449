// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Defects of copies that follow the log, each of which random histories must find. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HistoryDefectsTest {
  private static final String TEST = "history.RollForwardModelTest#everyMomentIsReached";

  /** What is wrong. */
  private enum Wrong {
    TABLES_ARE_NOT_NOTED(defect().stub("internal.history.HistoryNotes", "onTables")),
    TABLES_DO_NOT_FOLLOW(defect().stub("internal.history.LogApplication", "change")),
    RANGES_ARE_NOT_DELETED(defect().stub("internal.table.LoggedCells", "addRange")),
    THE_END_IS_PASSED_OVER(defect().fix("internal.history.LogPlan", "isWithin", true)),
    KEPT_FILES_ARE_LEFT_OUT(defect().stub("internal.wal.KeptLogs", "linkTo"));

    private final Defect defect;

    Wrong(Defect defect) {
      this.defect = defect;
    }

    private static Defect defect() {
      return new Defect();
    }
  }

  @ParameterizedTest
  @EnumSource
  void byRandomHistories(Wrong wrong) throws ClassNotFoundException {
    assertThat(wrong.defect.failureOf(TEST)).isInstanceOf(AssertionError.class);
  }
}
