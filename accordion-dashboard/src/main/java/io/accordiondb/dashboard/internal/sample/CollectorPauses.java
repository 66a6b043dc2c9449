// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Listens to the garbage collectors of this process until it is closed. Thread-safe; keeps {@value
 * #PAUSES_MAX} pauses at most between two calls of {@link #take}.
 */
final class CollectorPauses implements AutoCloseable {
  private static final int PAUSES_MAX = 256;

  /** Collectors whose times are those of cycles that run beside the program, as ZGC's. */
  private static final String CYCLES = "Cycles";

  private final List<NotificationEmitter> collectors = new ArrayList<>();
  private final NotificationListener listener = this::hear;

  @GuardedBy("this")
  private final Deque<Pause> pauses = new ArrayDeque<>();

  @GuardedBy("this")
  private long count;

  @GuardedBy("this")
  private long millis;

  /** A pause: how long it took in milliseconds, and the collector's word for it. */
  record Pause(long millis, String what) {}

  /** What all pauses took since the dashboard was started. */
  record Total(long count, long millis) {}

  CollectorPauses() {
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (!bean.getName().endsWith(CYCLES) && bean instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(listener, null, null);
        collectors.add(emitter);
      }
    }
  }

  private void hear(Notification notification, Object handback) {
    if (!notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      return;
    }
    GarbageCollectionNotificationInfo info =
        GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
    add(new Pause(info.getGcInfo().getDuration(), info.getGcName() + ", " + info.getGcCause()));
  }

  private synchronized void add(Pause pause) {
    count++;
    millis += pause.millis();
    if (pauses.size() == PAUSES_MAX) {
      pauses.removeFirst();
    }
    pauses.add(pause);
  }

  /** Returns the pauses since the last call. */
  synchronized List<Pause> take() {
    List<Pause> taken = List.copyOf(pauses);
    pauses.clear();
    return taken;
  }

  synchronized Total total() {
    return new Total(count, millis);
  }

  /** Ends listening. Idempotent. */
  @Override
  public synchronized void close() {
    for (NotificationEmitter collector : collectors) {
      try {
        collector.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        throw new IllegalStateException("the listener is gone", e);
      }
    }
    collectors.clear();
  }
}
