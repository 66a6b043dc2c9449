// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.memstore.Policy;
import java.nio.file.Path;

/** Looks for defects of change feeds and readers beside all kinds of writes. */
public final class FeedHunt {
  private static final int OPERATIONS_MAX = 600;

  private FeedHunt() {}

  /** Runs a sequence, and fails if a feed, a reader, or another answer is wrong. */
  public static void run(long seed, Path folder) {
    Policy policy = Policy.values()[(int) (seed % Policy.values().length)];
    ModelCase attempt = new ModelCase(policy, seed, folder);
    Throwable failure = attempt.failureOf(Operation.sequence(seed, OPERATIONS_MAX));
    if (failure != null) {
      throw new AssertionError("seed " + seed, failure);
    }
  }
}
