// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import io.accordiondb.bench.engine.Engine;
import io.accordiondb.bench.ycsb.YcsbWorkload;
import io.accordiondb.bench.ycsb.YcsbWorkload.Operator;
import java.io.IOException;

/** Runs the operations of one of YCSB's workloads on several threads. */
final class YcsbRun {
  private final YcsbWorkload workload;
  private final BenchOptions options;
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
    this.options = options;
    this.progress = progress;
  }

  /** Inserts the next records, as fast as it can. */
  void load(Engine engine, long count) throws IOException {
    Latencies unused = each(engine, count, 0, Operator::insert);
  }

  /** Inserts the next records, at the rate of writes. */
  Latencies insert(Engine engine, long count) throws IOException {
    return each(engine, count, options.writeRate(), Operator::insert);
  }

  /** Does operations of the workload, at the rate of reads. */
  Latencies operate(Engine engine, long count) throws IOException {
    return each(engine, count, options.readRate(), Operator::operate);
  }

  private interface Operation {
    void run(Operator operator) throws IOException;
  }

  private Latencies each(Engine engine, long count, long rate, Operation operation)
      throws IOException {
    int threads = options.threads();
    return Latencies.sum(
        Workers.run(
            threads,
            thread -> {
              Latencies latencies = new Latencies();
              OperationRate own = OperationRate.of((double) rate / threads);
              try (Operator operator = workload.operator(engine.session())) {
                long share = Workers.share(count, thread, threads);
                for (long i = 0; i < share; i++) {
                  long begun = own.await(i);
                  operation.run(operator);
                  latencies.recordSince(begun);
                  progress.add(1);
                }
              }
              return latencies;
            }));
  }
}
