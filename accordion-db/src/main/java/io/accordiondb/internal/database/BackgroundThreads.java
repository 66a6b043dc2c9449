// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one open database: for in-memory work, for flushes, for compactions, and a clock
 * that starts what is due. All are daemons and end with {@link #close}.
 */
final class BackgroundThreads {
  private final ExecutorService memory;
  private final ExecutorService flushes;
  private final ExecutorService compactions;
  private final ScheduledExecutorService timer;

  BackgroundThreads(int memoryThreads, int flushThreads, int compactionThreads) {
    this.memory = Executors.newFixedThreadPool(memoryThreads, named("memory"));
    this.flushes = Executors.newFixedThreadPool(flushThreads, named("flush"));
    this.compactions = Executors.newFixedThreadPool(compactionThreads, named("compaction"));
    this.timer = Executors.newSingleThreadScheduledExecutor(named("timer"));
  }

  ExecutorService memory() {
    return memory;
  }

  ExecutorService flushes() {
    return flushes;
  }

  ExecutorService compactions() {
    return compactions;
  }

  /** Runs a task again and again, with a pause between. It must not throw. */
  void every(long pauseMillis, Runnable task) {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(task, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
  }

  /** Lets running work end, drops waiting work, and ends the threads. */
  void close() {
    timer.shutdownNow();
    for (ExecutorService executor : new ExecutorService[] {compactions, flushes, memory}) {
      end(executor);
    }
  }

  /** Lets running work end, drops waiting work, and ends the threads of an executor. */
  static void end(ExecutorService executor) {
    executor.shutdown();
    awaitTermination(executor);
  }

  private static void awaitTermination(ExecutorService executor) {
    boolean interrupted = false;
    boolean terminated = false;
    while (!terminated) {
      try {
        terminated = executor.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns a maker of daemons that are named after what they do. */
  static ThreadFactory named(String purpose) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "accordion-" + purpose + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
