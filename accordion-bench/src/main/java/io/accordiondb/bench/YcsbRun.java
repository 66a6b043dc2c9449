// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.ycsb.YcsbWorkload;
import io.accordiondb.bench.ycsb.YcsbWorkload.Operator;
import java.io.IOException;

/** Runs the operations of one of YCSB's workloads on several threads. */
final class YcsbRun {
  private final YcsbWorkload workload;
  private final int threads;
  private final Progress progress;

  /**
   * Prepares a run.
   *
   * @param name YCSB's name of the workload
   */
  YcsbRun(String name, BenchOptions options, Progress progress) throws IOException {
    workload =
        new YcsbWorkload(
            name, options.records(), options.warmup() + options.operations(), options.fieldBytes());
    threads = options.threads();
    this.progress = progress;
  }

  /** Inserts the next records. */
  Latencies insert(Engine engine, long count) throws IOException {
    return each(engine, count, Operator::insert);
  }

  /** Does operations of the workload. */
  Latencies operate(Engine engine, long count) throws IOException {
    return each(engine, count, Operator::operate);
  }

  private interface Operation {
    void run(Operator operator) throws IOException;
  }

  private Latencies each(Engine engine, long count, Operation operation) throws IOException {
    return Latencies.sum(
        Workers.run(
            threads,
            thread -> {
              Latencies latencies = new Latencies();
              try (Operator operator = workload.operator(engine.session())) {
                for (long i = Workers.share(count, thread, threads); i > 0; i--) {
                  long begun = System.nanoTime();
                  operation.run(operator);
                  latencies.recordSince(begun);
                  progress.add(1);
                }
              }
              return latencies;
            }));
  }
}
