// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.region.StoreId;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The stores whose last compaction of a kind has failed or was stopped. The next one reads and
 * writes the same, so each further failure doubles the pause before it, unless files pile up.
 * Thread-safe.
 */
final class FailedCompactions {
  private static final long PAUSE_NANOS_MIN = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_NANOS_MAX = TimeUnit.HOURS.toNanos(1);

  /** Maximum number of times that the pause is doubled. */
  private static final int DOUBLINGS_MAX = 9;

  /**
   * Consecutive failures.
   *
   * @param nanos when the last one happened
   * @param damage whether it has found a damaged file
   */
  private record Failures(int count, long nanos, boolean damage) {}

  private final LongSupplier nanoClock;
  private final Map<StoreId, Failures> stores = new ConcurrentHashMap<>();

  FailedCompactions(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Runs a compaction and notes whether it fails. One that finds nothing to do proves nothing.
   *
   * @param compaction returns whether it did work
   */
  boolean attempt(StoreId store, IoSupplier<Boolean> compaction) throws IOException {
    try {
      boolean done = compaction.get();
      if (done) {
        remove(store);
      }
      return done;
    } catch (IOException | RuntimeException | Error e) {
      add(store, e);
      throw e;
    }
  }

  /** Notes a failure. */
  void add(StoreId store, Throwable cause) {
    add(store, cause instanceof CorruptionException);
  }

  /** Notes that a compaction was stopped, which has cost as much as a failure. */
  void addStopped(StoreId store) {
    add(store, false);
  }

  private void add(StoreId store, boolean damage) {
    Failures before = stores.get(store);
    int count = before == null ? 1 : before.count + 1;
    stores.put(store, new Failures(count, nanoClock.getAsLong(), damage));
  }

  /** Notes that a compaction has done its work. */
  void remove(StoreId store) {
    stores.remove(store);
  }

  /** Notes that files were deleted, the damaged one perhaps. Returns true. */
  boolean removeDamage(StoreId store) {
    stores.computeIfPresent(store, (id, failures) -> failures.damage ? null : failures);
    return true;
  }

  /** Forgets all other stores. */
  void retainAll(Set<StoreId> ids) {
    stores.keySet().retainAll(ids);
  }

  /**
   * Returns whether it is too early for another compaction of a store.
   *
   * @param filesPileUp whether writers will soon wait for it. They do not wait for damaged files,
   *     with which files pile up for good.
   */
  boolean isPausing(StoreId store, boolean filesPileUp) {
    Failures last = stores.get(store);
    if (last == null) {
      return false;
    }
    boolean isUrgent = filesPileUp && !last.damage;
    int doublings = isUrgent ? 0 : Math.min(DOUBLINGS_MAX, last.count - 1);
    long pause = Math.min(PAUSE_NANOS_MAX, PAUSE_NANOS_MIN << doublings);
    return nanoClock.getAsLong() - last.nanos < pause;
  }

  /** Returns whether the last compaction of a store has found a damaged file, as others will. */
  boolean isDamaged(StoreId store) {
    Failures last = stores.get(store);
    return last != null && last.damage;
  }
}
