// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

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
