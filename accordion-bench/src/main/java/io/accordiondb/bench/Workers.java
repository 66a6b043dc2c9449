// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the operations of a measurement on several threads. */
final class Workers {
  /** The work of one of several threads. */
  interface Work<T> {
    T run(int thread) throws IOException;
  }

  private Workers() {}

  /** Returns what each thread returns, once all have. */
  static <T> List<T> run(int threads, Work<T> work) throws IOException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        futures.add(executor.submit(() -> work.run(number)));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(WorkerResult.await(future));
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  /** Returns one thread's share of the operations. */
  static long share(long operations, int thread, int threads) {
    return operations / threads + (thread < operations % threads ? 1 : 0);
  }
}
