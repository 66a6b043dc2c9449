// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Defects of transactions, each of which the check of histories must find. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TransactionDefectsTest {
  private static final String TESTS = "transaction.TransactionHistoryTest#";
  private static final String SNAPSHOT = TESTS + "snapshotTransactionsShowWriteSkewAtMost";
  private static final String SERIALIZABLE = TESTS + "serializableTransactionsShowNoAnomaly";

  /** What is wrong, and the test that must notice. */
  private enum Wrong {
    NOTHING_IS_VALIDATED(SNAPSHOT, defect().stub("internal.transaction.Validation", "check")),
    OWN_WRITES_ARE_NOT_READ(SNAPSHOT, defect().stub("internal.read.PendingCells", "view")),
    ROWS_THAT_WERE_READ_ARE_NOT_VALIDATED(
        SERIALIZABLE, defect().stub("internal.transaction.TransactionReads", "note")),
    RANGES_THAT_WERE_READ_ARE_NOT_VALIDATED(
        SERIALIZABLE, defect().stub("internal.transaction.ReadSet", "addRange"));

    private final String test;
    private final Defect defect;

    Wrong(String test, Defect defect) {
      this.test = test;
      this.defect = defect;
    }

    private static Defect defect() {
      return new Defect();
    }
  }

  @ParameterizedTest
  @EnumSource
  void byTheCheckOfHistories(Wrong wrong) throws ClassNotFoundException {
    assertThat(wrong.defect.failureOf(wrong.test)).isInstanceOf(AssertionError.class);
  }

  @Test
  void whereNothingIsWrongNothingIsFound() throws ClassNotFoundException {
    assertThat(new Defect().failureOf(SNAPSHOT)).isNull();
    assertThat(new Defect().failureOf(SERIALIZABLE)).isNull();
  }
}
