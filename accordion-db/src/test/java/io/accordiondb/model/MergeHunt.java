// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;

/** Looks for defects of merge operators. */
public final class MergeHunt {
  private static final int SEEDS = 40;
  private static final int OPERATIONS = 400;

  private MergeHunt() {}

  /**
   * Runs sequences under the policies that fold in memory, until an answer is wrong; what the
   * background does meanwhile differs from run to run.
   */
  public static void run(Path folder) throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Policy policy = seed % 2 == 0 ? Policy.AUTO : Policy.EAGER;
      try (MergeRun run = new MergeRun(policy, seed, folder)) {
        long unused = run.run(OPERATIONS);
      }
    }
  }
}
