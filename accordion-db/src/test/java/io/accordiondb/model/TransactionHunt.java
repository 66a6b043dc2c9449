// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.memstore.Policy;
import io.accordiondb.model.Operation.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Looks for defects of transactions. */
public final class TransactionHunt {
  private static final int TRANSACTIONS = 100;

  private TransactionHunt() {}

  /** Runs transactions one after another, and fails if an answer is wrong. */
  public static void run(long seed, Path folder) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    try (ModelRun run = new ModelRun(Policy.ADAPTIVE, seed, folder)) {
      for (int i = 0; i < TRANSACTIONS; i++) {
        run.apply(new Operation(Kind.TRANSACTION, random.nextInt()));
      }
    }
  }
}
