// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.nio.file.Path;

/** Looks for conflicts of transactions that are overlooked. */
public final class ConflictHunt {
  private static final int OPERATIONS = 400;

  private ConflictHunt() {}

  /** Runs a sequence, and fails if a transaction ends otherwise than it must. */
  public static void run(long seed, Path folder) throws IOException {
    Policy policy = seed % 2 == 0 ? Policy.AUTO : Policy.EAGER;
    try (ConflictRun run = new ConflictRun(policy, seed, folder)) {
      long unused = run.run(OPERATIONS);
    }
  }
}
