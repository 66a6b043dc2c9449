// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes daemon threads that are named after their purpose. They have the context class loader of
 * the thread that has created this factory, and neither thread locals nor the priority of the
 * thread that happens to need them, which may be that of a request in a server. Thread-safe.
 */
public final class DaemonThreads implements ThreadFactory {
  private final String purpose;
  private final ClassLoader contextClassLoader = Thread.currentThread().getContextClassLoader();
  private final AtomicInteger number = new AtomicInteger();

  private final Object owner;

  private static final class DaemonThread extends Thread {
    private final Object owner;

    DaemonThread(Runnable task, String name, Object owner) {
      super(null, task, name, 0, false);
      this.owner = owner;
    }
  }

  /**
   * Creates a factory whose threads belong to nothing else.
   *
   * @param purpose a part of the names of the threads
   */
  public DaemonThreads(String purpose) {
    this(purpose, new Object());
  }

  /**
   * Creates a factory.
   *
   * @param purpose a part of the names of the threads
   * @param owner what the threads belong to; see {@link #isCurrent(Object)}
   */
  public DaemonThreads(String purpose, Object owner) {
    this.purpose = purpose;
    this.owner = owner;
  }

  /** Returns whether such a factory has made the current thread. */
  public static boolean isCurrent() {
    return Thread.currentThread() instanceof DaemonThread;
  }

  /** Returns whether the current thread belongs to an owner. */
  public static boolean isCurrent(Object owner) {
    return Thread.currentThread() instanceof DaemonThread thread && thread.owner == owner;
  }

  /**
   * Waits for the end of a thread, whatever interrupts this one.
   *
   * @param thread null for none
   * @param millisMax how long, about; 0 for ever
   */
  public static void awaitEnd(@Nullable Thread thread, long millisMax) {
    boolean interrupted = false;
    boolean waited = false;
    while (thread != null && thread.isAlive() && !waited) {
      try {
        thread.join(millisMax);
        waited = millisMax > 0;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Thread newThread(Runnable task) {
    String name = "accordion-" + purpose + "-" + number.incrementAndGet();
    Thread thread = new DaemonThread(task, name, owner);
    thread.setDaemon(true);
    thread.setPriority(Thread.NORM_PRIORITY);
    thread.setContextClassLoader(contextClassLoader);
    return thread;
  }
}
