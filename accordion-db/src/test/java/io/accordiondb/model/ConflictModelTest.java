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
 * Random transactions beside each other and beside other writes, which conflict exactly where a
 * model of rows says, under every policy, whatever flushes, compactions and changes of regions and
 * families make of the cells. Where these are lost, whoever began before is told so, and cursors
 * that stay open show what they showed at first.
 */
class ConflictModelTest {
  private static final int SEQUENCES = Integer.getInteger("model.sequences", 1);
  private static final int SEQUENCES_LONG = 200;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void transactionsConflictWhereTheyMust(Policy policy) throws Exception {
    ModelSequences.check(ConflictRun::new, policy, SEQUENCES, folder);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void transactionsConflictWhereTheyMustInManySequences(Policy policy) throws Exception {
    ModelSequences.check(ConflictRun::new, policy, SEQUENCES_LONG, folder);
  }
}
