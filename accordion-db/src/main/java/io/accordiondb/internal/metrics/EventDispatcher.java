// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.event.EventListener;
import io.accordiondb.internal.thread.DaemonThreads;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events to listeners in order on a thread of its own, so that the thread that reports an
 * event may hold locks and does not wait. Thread-safe. The thread exists only while there are
 * events, and never without listeners.
 */
public final class EventDispatcher {
  /** Maximum number of events that may wait; further ones are dropped. */
  static final int WAITING_MAX = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);
  private static final int CLOSE_SECONDS_MAX = 10;

  private final List<EventListener> listeners;
  private final @Nullable ThreadPoolExecutor teller;
  private final LongAdder dropped = new LongAdder();

  /** Listeners whose exception was logged already. Only the delivering thread uses this. */
  private final Set<EventListener> faulty = Collections.newSetFromMap(new IdentityHashMap<>());

  private volatile @Nullable Thread telling;

  EventDispatcher(List<EventListener> listeners) {
    this.listeners = listeners;
    this.teller = listeners.isEmpty() ? null : newTeller();
  }

  private ThreadPoolExecutor newTeller() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            new DaemonThreads("events"));
    executor.allowCoreThreadTimeOut(true);
    executor.setRejectedExecutionHandler((event, full) -> dropped.increment());
    return executor;
  }

  /** Queues an event for all listeners. Never throws. */
  public void tell(Consumer<EventListener> event) {
    if (teller == null) {
      return;
    }
    try {
      teller.execute(() -> tellAll(event));
    } catch (RuntimeException | Error e) {
      // There is no memory for a thread. The reporting thread must not fail because of that.
      dropped.increment();
    }
  }

  private void tellAll(Consumer<EventListener> event) {
    telling = Thread.currentThread();
    for (EventListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (Throwable e) {
        report(listener, e);
      }
    }
    telling = null;
    long lost = dropped.sumThenReset();
    if (lost > 0) {
      LOG.warn("{} events were not told, because the listeners were too slow", lost);
    }
  }

  private void report(EventListener listener, Throwable failure) {
    if (faulty.add(listener)) {
      LOG.warn(
          "an event listener of {} has thrown; further failures of it are not logged",
          listener.getClass(),
          failure);
    }
  }

  /** Waits until all events are delivered, unless a listener calls this, and ends the thread. */
  void close() {
    if (teller == null) {
      return;
    }
    teller.shutdown();
    if (Thread.currentThread() == telling) {
      return;
    }
    if (!awaitEnd(teller)) {
      LOG.warn(
          "event listeners were still busy when the database was closed; {} events are not told",
          teller.shutdownNow().size());
    }
  }

  /** Returns whether all events are delivered in time. An interrupt does not end the wait. */
  private static boolean awaitEnd(ThreadPoolExecutor executor) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS_MAX);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return executor.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
