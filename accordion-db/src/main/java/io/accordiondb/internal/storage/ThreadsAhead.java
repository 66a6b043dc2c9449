// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.internal.thread.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that fill the files of one storage ahead of the appends, and unmap what is full: as
 * many as are needed at a time, so that no file waits for another. Idle threads end after a while.
 * Thread-safe.
 */
final class ThreadsAhead implements Executor, AutoCloseable {
  private static final long IDLE_THREAD_SECONDS = 5;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_THREAD_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          new DaemonThreads("log-ahead"));

  /**
   * Runs a task on another thread.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the threads are closed
   */
  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  /** Ends the threads: idle ones at once, the others after their present task. Does not wait. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
