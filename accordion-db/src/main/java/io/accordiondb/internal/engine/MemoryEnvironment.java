// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.memstore.MemStoreEnvironment;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Creates the environment that a database provides to its memory stores. */
final class MemoryEnvironment {
  private MemoryEnvironment() {}

  static MemStoreEnvironment create(
      DatabaseOptions options,
      Executor executor,
      DatabaseClock clock,
      ReadPoints readPoints,
      ChunkPool pool,
      MemoryBudget budget,
      Telemetry telemetry) {
    return new MemStoreEnvironment(
        executor,
        clock::droppingMillis,
        readPoints,
        new SynchronizedRandom(options.experiment().seed()),
        pool,
        budget,
        telemetry.memoryWork());
  }

  /** A random source for several threads. */
  private static final class SynchronizedRandom implements RandomGenerator {
    private final SplittableRandom random;

    SynchronizedRandom(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    public synchronized long nextLong() {
      return random.nextLong();
    }
  }
}
