// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.internal.clock.DatabaseClock;
import io.accordiondb.internal.commit.ReadPoints;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.PipelineChange;
import io.accordiondb.statistics.OperationKind;
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
    MemStoreListener listener =
        new MemStoreListener() {
          @Override
          public void onMerge(PipelineChange merge) {
            telemetry.operations().record(OperationKind.IN_MEMORY_MERGE, merge.nanos());
          }

          @Override
          public void onCompaction(PipelineChange compaction) {
            telemetry.operations().record(OperationKind.IN_MEMORY_COMPACTION, compaction.nanos());
          }

          @Override
          public void onFailure(Throwable problem) {
            telemetry.errors().report("work in memory failed; segments stay as they were", problem);
          }
        };
    return new MemStoreEnvironment(
        executor,
        clock::droppingMillis,
        readPoints::smallest,
        new SynchronizedRandom(options.experiment().seed()),
        pool,
        budget,
        listener);
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
