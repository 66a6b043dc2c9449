// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;

/** Looks for cells that expire and come back, or do not expire. */
public final class ExpiryHunt {
  private static final int OPERATIONS = 400;

  private ExpiryHunt() {}

  /**
   * Runs a sequence under a policy that compacts in memory, and fails if an answer is wrong; what
   * the background does meanwhile differs from run to run.
   */
  public static void run(long seed, Path folder) throws IOException {
    Policy policy = seed % 2 == 0 ? Policy.AUTO : Policy.EAGER;
    try (ExpiryRun run = new ExpiryRun(policy, seed, folder)) {
      long unused = run.run(OPERATIONS);
    }
  }
}
