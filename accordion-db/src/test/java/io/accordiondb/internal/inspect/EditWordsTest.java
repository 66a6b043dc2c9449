// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.manifest.VersionEdit;
import org.junit.jupiter.api.Test;

/** Edits of a manifest in words. */
class EditWordsTest {
  @Test
  void aPreparedLogFileHasNoSequence() {
    assertThat(EditWords.of(new VersionEdit.AddLog(6, -1))).isEqualTo("prepare log file 6");
    assertThat(EditWords.of(new VersionEdit.AddLog(6, 8)))
        .isEqualTo("add log file 6, behind sequence 8");
  }
}
