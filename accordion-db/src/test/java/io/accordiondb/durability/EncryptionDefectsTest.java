// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plants defects in encryption, each of which its tests find. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EncryptionDefectsTest {
  /** What is wrong. */
  private enum Wrong {
    WHAT_DOES_NOT_OPEN_IS_TAKEN_AS_IT_IS(
        defect().fix("internal.crypt.FrameCipher", "open", true),
        "EncryptionTest#whatWasTamperedWithIsNeverRead"),
    REPAIRS_DO_NOT_ASK_FOR_KEYS(
        defect().stub("internal.crypt.EncryptedStorage", "checkKeys"),
        "FailingKeysTest#aRepairWithoutOneOfTheKeysChangesNothing"),
    NO_FOLDER_IS_MARKED(
        defect().stub("internal.crypt.EncryptedStorage", "mark"),
        "EncryptionTest#aDatabaseWithoutEncryptedFilesOpensWithoutKeys");

    private final Defect defect;
    private final String test;

    Wrong(Defect defect, String test) {
      this.defect = defect;
      this.test = test;
    }

    private static Defect defect() {
      return new Defect();
    }
  }

  @ParameterizedTest
  @EnumSource
  void byItsTests(Wrong wrong) throws ClassNotFoundException {
    assertThat(wrong.defect.failureOf("durability." + wrong.test))
        .isInstanceOf(AssertionError.class);
  }
}
