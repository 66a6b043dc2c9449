// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Random sequences of operations that are compared with a model, one after another: those from the
 * first seed on, or that of {@code -Dmodel.seed} alone.
 */
final class ModelSequences {
  private static final int OPERATIONS = 400;
  private static final Long SEED = Long.getLong("model.seed");

  private ModelSequences() {}

  /** A sequence that can be run once. */
  interface Sequence extends AutoCloseable {
    /** Runs operations, and returns how many. */
    long run(int operations) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Begins a sequence, in a folder that others have, too. */
  interface Begin {
    Sequence begin(Policy policy, long seed, Path folder) throws IOException;
  }

  /** Runs sequences under a policy; a failure names the policy and the seed. */
  static void check(Begin sequences, Policy policy, int count, Path folder) throws Exception {
    long first = SEED == null ? 1 : SEED;
    long last = SEED == null ? count : SEED;
    long operations = 0;
    for (long seed = first; seed <= last; seed++) {
      try (Sequence sequence = sequences.begin(policy, seed, folder)) {
        operations += sequence.run(OPERATIONS);
      } catch (AssertionError | Exception e) {
        throw new AssertionError(policy + ", -Dmodel.seed=" + seed, e);
      }
    }
    assertThat(operations).isGreaterThan(OPERATIONS / 2);
  }
}
