// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.maintenance;

import io.accordiondb.internal.region.StoreId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The stores on which work of a kind has achieved nothing, and that it leaves alone for an hour.
 */
final class LongPauses {
  private static final long PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

  /** When the pause of each store began. */
  private final Map<StoreId, Long> begun = new ConcurrentHashMap<>();

  void begin(StoreId store) {
    begun.put(store, System.nanoTime());
  }

  boolean isPausing(StoreId store) {
    Long nanos = begun.get(store);
    return nanos != null && System.nanoTime() - nanos < PAUSE_NANOS;
  }

  /** Forgets all other stores. */
  void retainAll(Set<StoreId> ids) {
    begun.keySet().retainAll(ids);
  }
}
