// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.statistics.CacheStatistics;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/**
 * Writes the state of the block caches of open databases to JFR once a second while a recording
 * runs.
 */
final class CacheEvents {
  /**
   * The objects of open databases; weak, so that a database that is never closed can be collected.
   */
  private static final Set<WeakReference<CacheEvents>> OPEN = ConcurrentHashMap.newKeySet();

  /** JFR has it only while databases are open, because it would keep the class loader. */
  private static final Runnable WRITER = CacheEvents::writeAll;

  /** Whether JFR has it; guarded by {@link #OPEN}. */
  private static boolean registered;

  private final String database;
  private final Supplier<CacheStatistics> statistics;
  private final WeakReference<CacheEvents> self = new WeakReference<>(this);

  CacheEvents(String database, Supplier<CacheStatistics> statistics) {
    this.database = database;
    this.statistics = statistics;
  }

  void open() {
    synchronized (OPEN) {
      OPEN.add(self);
      if (!registered && FlightRecorder.isAvailable()) {
        FlightRecorder.addPeriodicEvent(DatabaseJfrEvent.Cache.class, WRITER);
        registered = true;
      }
    }
  }

  void close() {
    synchronized (OPEN) {
      OPEN.remove(self);
      if (registered && OPEN.isEmpty()) {
        FlightRecorder.removePeriodicEvent(WRITER);
        registered = false;
      }
    }
  }

  private static void writeAll() {
    for (WeakReference<CacheEvents> reference : OPEN) {
      CacheEvents events = reference.get();
      if (events == null) {
        OPEN.remove(reference);
      } else {
        DatabaseJfrEvent.Cache.write(events.database, events.statistics.get());
      }
    }
  }
}
