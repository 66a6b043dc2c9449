// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits for the result of another thread of a measurement. */
public final class WorkerResult {
  private WorkerResult() {}

  /**
   * Returns what a worker returns.
   *
   * @throws IOException what it threw, or if this thread was interrupted
   */
  public static <T> T await(Future<T> worker) throws IOException {
    try {
      return worker.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException problem) {
        throw problem;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
