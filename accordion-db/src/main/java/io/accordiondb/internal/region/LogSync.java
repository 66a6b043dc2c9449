// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.internal.function.IoRunnable;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces the log to the device once, on another thread while a flush writes its table. If no thread
 * has started by the time the flush needs the result, the flushing thread does it.
 */
final class LogSync {
  private static final Logger LOG = LoggerFactory.getLogger(LogSync.class);

  private final FutureTask<@Nullable Void> task;

  LogSync(IoRunnable syncLog) {
    task =
        new FutureTask<>(
            () -> {
              syncLog.run();
              return null;
            });
  }

  /** Starts the force on a thread of an executor, if one is free. */
  void begin(Executor executor) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      LOG.debug("no thread can force the log beside a flush", e);
    }
  }

  /**
   * Waits until the log is on the device. An interrupt takes effect only afterwards.
   *
   * @throws IOException if the log could not be forced
   */
  void await() throws IOException {
    task.run();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.get(1, TimeUnit.SECONDS);
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          // This does nothing if the task is running or done. But its thread may have died.
          task.run();
        }
      }
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      throw cause instanceof IOException failure ? failure : new IOException(cause);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
