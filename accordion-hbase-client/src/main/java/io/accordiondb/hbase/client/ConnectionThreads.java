// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;

/**
 * The threads that run a connection's asynchronous operations. They start when they are needed, end
 * when they are idle, and do not keep the process alive. Operations beyond their number wait.
 */
final class ConnectionThreads {
  /** How many threads a connection has at most. */
  static final String KEY = "accordion.client.threads";

  private static final int THREADS_MIN = 8;
  private static final int IDLE_SECONDS_MAX = 10;

  private ConnectionThreads() {}

  /** Returns the threads of a new connection. */
  static ExecutorService of(Configuration conf) {
    int byDefault = Math.max(THREADS_MIN, 2 * Runtime.getRuntime().availableProcessors());
    int threads = conf.getInt(KEY, byDefault);
    if (threads < 1) {
      throw new IllegalArgumentException(KEY + " is " + threads + ", expected 1 or more");
    }
    AtomicInteger number = new AtomicInteger();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              // Nothing is inherited from the request that happens to need the thread.
              String name = "accordion-client-" + number.incrementAndGet();
              Thread thread = new Thread(null, work, name, 0, false);
              thread.setDaemon(true);
              thread.setContextClassLoader(context);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
