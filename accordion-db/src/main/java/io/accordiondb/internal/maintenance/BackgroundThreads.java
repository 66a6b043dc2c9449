// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.internal.thread.DaemonThreads;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one open database: for in-memory work, for flushes, for forcing the log to the
 * device, for compactions, for deletions, and a timer that starts what is due. All are daemons and
 * end with {@link #close}.
 */
public final class BackgroundThreads {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundThreads.class);

  private static final long END_POLL_MILLIS = 100;

  /** Deletions are rare, so the thread for them ends when it has been idle for so long. */
  private static final long DELETIONS_IDLE_SECONDS = 10;

  /** What the threads belong to. */
  private final Object owner = new Object();

  private final ExecutorService memory;
  private final ThreadPoolExecutor flushes;
  private final ExecutorService syncs;
  private final ThreadPoolExecutor compactions;
  private final ThreadPoolExecutor deletions;
  private final ScheduledExecutorService timer;

  /** All of them, in the order in which they end. */
  private final List<ExecutorService> all;

  public BackgroundThreads(int memoryThreads, int flushThreads, int compactionThreads) {
    // Idle threads wait by means of this class. If its initialisation failed for lack of memory, it
    // could never be initialised again, and each thread would end as soon as it had nothing to do.
    int unused = ForkJoinPool.getCommonPoolParallelism();
    this.memory = Executors.newFixedThreadPool(memoryThreads, new DaemonThreads("memory", owner));
    this.flushes = pool(flushThreads, "flush");
    this.syncs = Executors.newFixedThreadPool(1, new DaemonThreads("sync", owner));
    this.compactions = pool(compactionThreads, "compaction");
    this.deletions = pool(1, "deletion");
    deletions.setKeepAliveTime(DELETIONS_IDLE_SECONDS, TimeUnit.SECONDS);
    deletions.allowCoreThreadTimeOut(true);
    this.timer = Executors.newSingleThreadScheduledExecutor(new DaemonThreads("timer", owner));
    this.all = List.of(timer, compactions, flushes, syncs, memory, deletions);
  }

  private ThreadPoolExecutor pool(int threads, String purpose) {
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        new DaemonThreads(purpose, owner));
  }

  /** Changes the numbers of threads. Surplus threads end once they are idle. */
  public void resize(int flushThreads, int compactionThreads) {
    resize(flushes, flushThreads);
    resize(compactions, compactionThreads);
  }

  private static void resize(ThreadPoolExecutor pool, int threads) {
    if (threads > pool.getMaximumPoolSize()) {
      pool.setMaximumPoolSize(threads);
      pool.setCorePoolSize(threads);
    } else {
      pool.setCorePoolSize(threads);
      pool.setMaximumPoolSize(threads);
    }
  }

  public ExecutorService memory() {
    return memory;
  }

  public ExecutorService flushes() {
    return flushes;
  }

  public ExecutorService syncs() {
    return syncs;
  }

  public ExecutorService compactions() {
    return compactions;
  }

  public ExecutorService deletions() {
    return deletions;
  }

  /** Runs a task repeatedly, with a pause between two runs, even after it has failed. */
  public void every(long pauseMillis, Runnable task) {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            surviving(task), pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Returns a task that never throws, so that neither its thread nor its period ends with it:
   * whatever it throws is logged.
   */
  static Runnable surviving(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Throwable e) {
        report(e);
      }
    };
  }

  private static void report(Throwable failure) {
    try {
      LOG.error("work in the background has failed; the database goes on", failure);
    } catch (Throwable e) {
      // There is no memory left to log it.
    }
  }

  /**
   * Checks that none of these threads calls, because it would wait for its own work.
   *
   * @throws IllegalStateException if one of them does, as a filter may
   */
  public void checkNotCurrent() {
    if (DaemonThreads.isCurrent(owner)) {
      throw new IllegalStateException(
          "code that the database calls for its background work, such as a compaction filter or a"
              + " merge operator, must not flush, compact, refresh or close the database");
    }
  }

  /**
   * Waits for running work, and ends the threads. After this returns, none of them touches a file.
   */
  public void close() {
    for (int i = 0; i < all.size(); i++) {
      end(all.get(i));
    }
  }

  /**
   * Waits for running and queued work, and ends the threads of an executor. If its last thread has
   * died and there was no memory for another, queued work is dropped, because no thread would run
   * it.
   */
  public static void end(ExecutorService executor) {
    executor.shutdown();
    boolean interrupted = false;
    boolean terminated = false;
    while (!terminated) {
      try {
        terminated = executor.awaitTermination(END_POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (!terminated && executor instanceof ThreadPoolExecutor pool && pool.getPoolSize() == 0) {
          // There are no threads that this could interrupt.
          pool.shutdownNow();
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
