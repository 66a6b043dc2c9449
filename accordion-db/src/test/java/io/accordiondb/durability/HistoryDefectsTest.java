// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.commit.LogNote;
import io.accordiondb.internal.function.IoRunnable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.asm.Advice;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Defects of copies that follow the log, each of which random histories must find. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HistoryDefectsTest {
  private static final String TEST = "history.RollForwardModelTest#everyMomentIsReached";
  private static final String INGESTING =
      "history.RollForwardModelTest#noMomentBehindAnIngestionIsReached";

  /** What is wrong. */
  private enum Wrong {
    TABLES_ARE_NOT_NOTED(defect().stub("internal.history.HistoryNotes", "onTables")),
    TABLES_DO_NOT_FOLLOW(defect().stub("internal.history.LogApplication", "change")),
    RANGES_ARE_NOT_DELETED(defect().stub("internal.table.LoggedCells", "addRange")),
    THE_END_IS_PASSED_OVER(defect().fix("internal.history.LogPlan", "isWithin", true)),
    KEPT_FILES_ARE_LEFT_OUT(defect().stub("internal.wal.KeptLogs", "linkTo")),
    INGESTIONS_ARE_NOT_NOTED(
        INGESTING, defect().advise("internal.history.HistoryNotes", "ingest", OnlyIngests.class)),
    NOTES_OF_INGESTIONS_ARE_PASSED_OVER(
        INGESTING, defect().advise("internal.history.LogPlan", "take", PassesOver.class));

    private final String test;
    private final Defect defect;

    Wrong(Defect defect) {
      this(TEST, defect);
    }

    Wrong(String test, Defect defect) {
      this.test = test;
      this.defect = defect;
    }

    private static Defect defect() {
      return new Defect();
    }
  }

  /** Ingests files, and writes no note about it. */
  static final class OnlyIngests {
    private OnlyIngests() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.Argument(1) IoRunnable ingestion) throws IOException {
      ingestion.run();
      return true;
    }
  }

  /** Does nothing about the note of an ingestion. */
  static final class PassesOver {
    private PassesOver() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(@Advice.Argument(0) LogNote note) {
      return note.kind() == LogNote.Kind.INGESTION;
    }
  }

  @ParameterizedTest
  @EnumSource
  void byRandomHistories(Wrong wrong) throws ClassNotFoundException {
    assertThat(wrong.defect.failureOf(wrong.test)).isInstanceOf(AssertionError.class);
  }
}
