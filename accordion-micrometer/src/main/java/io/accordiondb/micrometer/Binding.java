// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.micrometer.Statistics.Family;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The meters of a database in one registry. Thread-safe. */
final class Binding {
  private final MeterRegistry registry;
  private final Statistics statistics;
  private final Tags tags;
  private final List<Meter> ofDatabase;

  @GuardedBy("this")
  private final Map<Family, List<Meter>> ofFamilies = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /** Registers the meters of the database as a whole. */
  Binding(MeterRegistry registry, Statistics statistics, Tags tags) {
    this.registry = registry;
    this.statistics = statistics;
    this.tags = tags;
    this.ofDatabase = DatabaseMeters.register(new MeterMaker<>(registry, statistics::of, tags));
  }

  /** Registers the meters of families that are new, and removes those of families that are gone. */
  void updateFamilies() {
    // This may update all bindings. Whoever did so with the lock of one of them could wait for a
    // thread that does so with the lock of another one.
    update(statistics.families());
  }

  private synchronized void update(List<Family> families) {
    if (closed) {
      return;
    }
    Set<Family> gone = new HashSet<>(ofFamilies.keySet());
    families.forEach(gone::remove);
    gone.forEach(family -> remove(ofFamilies.remove(family)));
    for (Family family : families) {
      ofFamilies.computeIfAbsent(
          family, key -> FamilyMeters.register(registry, statistics, key, tags));
    }
  }

  private void remove(List<Meter> meters) {
    meters.forEach(registry::remove);
  }

  /** Removes all meters. */
  synchronized void close() {
    closed = true;
    remove(ofDatabase);
    ofFamilies.values().forEach(this::remove);
    ofFamilies.clear();
  }
}
