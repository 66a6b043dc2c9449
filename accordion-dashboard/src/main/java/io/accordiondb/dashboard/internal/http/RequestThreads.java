// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that read requests and write answers. Their number is limited, and each has {@value
 * #SECONDS_MAX} seconds to make progress; after that it is interrupted, which closes the connection
 * of the slow client. If all threads are busy, a further request is refused and its connection is
 * closed. Thread-safe.
 */
final class RequestThreads implements Executor, AutoCloseable {
  static final int SECONDS_MAX = 10;

  private static final long WATCH_MILLIS = 1000;

  private final ThreadPoolExecutor pool;
  private final ScheduledExecutorService watch;
  private final Map<Thread, Work> running = new ConcurrentHashMap<>();

  RequestThreads(int threadsMax) {
    pool =
        new ThreadPoolExecutor(
            0,
            threadsMax,
            SECONDS_MAX,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons("accordion-dashboard-request"));
    watch = Executors.newSingleThreadScheduledExecutor(daemons("accordion-dashboard-watch"));
    Future<?> unused =
        watch.scheduleWithFixedDelay(
            () -> running.values().forEach(work -> work.interruptIfLate(System.nanoTime())),
            WATCH_MILLIS,
            WATCH_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Daemons, so that a page that is open keeps no program from ending. */
  static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** One request that is being worked on. */
  private static final class Work {
    private final Thread thread = Thread.currentThread();

    @GuardedBy("this")
    private long deadlineNanos = deadline();

    @GuardedBy("this")
    private boolean ended;

    private static long deadline() {
      return System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    }

    synchronized void renew() {
      deadlineNanos = deadline();
    }

    synchronized void interruptIfLate(long nanos) {
      if (!ended && nanos - deadlineNanos > 0) {
        thread.interrupt();
      }
    }

    /** From here on the thread is not interrupted; it continues with other requests. */
    synchronized void end() {
      ended = true;
      boolean unused = Thread.interrupted();
    }
  }

  /**
   * Runs a request on a thread of its own.
   *
   * @throws java.util.concurrent.RejectedExecutionException if all threads are busy
   */
  @Override
  public void execute(Runnable request) {
    pool.execute(() -> run(request));
  }

  private void run(Runnable request) {
    Work work = new Work();
    running.put(work.thread, work);
    try {
      request.run();
    } finally {
      running.remove(work.thread);
      work.end();
    }
  }

  /** Gives the request of the calling thread its full time again, because it made progress. */
  void renew() {
    Work work = running.get(Thread.currentThread());
    if (work != null) {
      work.renew();
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
    pool.shutdownNow();
  }
}
