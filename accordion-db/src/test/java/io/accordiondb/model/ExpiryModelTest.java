// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.Policy;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random puts and deletes of cells that expire by themselves, each followed by reads that are
 * compared with a model, under every policy, with all that must not change an answer in between.
 */
class ExpiryModelTest {
  private static final int SEQUENCES = Integer.getInteger("model.sequences", 2);
  private static final int OPERATIONS = 400;
  private static final Long SEED = Long.getLong("model.seed");

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void answersAreThoseOfTheModel(Policy policy) throws Exception {
    long first = SEED == null ? 1 : SEED;
    long last = SEED == null ? SEQUENCES : SEED;
    long operations = 0;
    for (long seed = first; seed <= last; seed++) {
      try (ExpiryRun run = new ExpiryRun(policy, seed, folder)) {
        operations += run.run(OPERATIONS);
      } catch (AssertionError | Exception e) {
        throw new AssertionError(policy + ", -Dmodel.seed=" + seed, e);
      }
    }
    assertThat(operations).isGreaterThan(OPERATIONS / 2);
  }
}
