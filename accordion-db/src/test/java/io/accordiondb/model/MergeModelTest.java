// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.memstore.Policy;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random merges, puts and deletes in families with merge operators, each followed by reads that are
 * compared with a model, under every policy, with all that must not change an answer in between.
 */
class MergeModelTest {
  private static final int SEQUENCES = Integer.getInteger("model.sequences", 1);
  private static final int SEQUENCES_LONG = 40;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void answersAreThoseOfTheModel(Policy policy) throws Exception {
    ModelSequences.check(MergeRun::new, policy, SEQUENCES, folder);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void answersAreThoseOfTheModelForManySequences(Policy policy) throws Exception {
    ModelSequences.check(MergeRun::new, policy, SEQUENCES_LONG, folder);
  }
}
