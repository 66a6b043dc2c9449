// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;

/** Looks for defects of merge operators. */
public final class MergeHunt {
  private static final int OPERATIONS = 400;

  private MergeHunt() {}

  /**
   * Runs a sequence under a policy that folds in memory, and fails if an answer is wrong; what the
   * background does meanwhile differs from run to run.
   */
  public static void run(long seed, Path folder) throws IOException {
    Policy policy = seed % 2 == 0 ? Policy.AUTO : Policy.EAGER;
    try (MergeRun run = new MergeRun(policy, seed, folder)) {
      long unused = run.run(OPERATIONS);
    }
  }
}
