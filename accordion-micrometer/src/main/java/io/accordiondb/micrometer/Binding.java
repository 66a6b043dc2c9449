// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.micrometer.Statistics.Family;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The meters of a database in one registry. Thread-safe. */
final class Binding {
  private static final Logger LOG = LoggerFactory.getLogger(Binding.class);

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
    MeterMaker<DatabaseStatistics> maker = new MeterMaker<>(registry, statistics::of, tags);
    this.ofDatabase = DatabaseMeters.register(maker);
    if (maker.hasFoundOthers()) {
      LOG.warn(
          "the registry already has meters with the tags {}, so it shows the figures of another"
              + " database under them; give the AccordionMetrics of this one other tags",
          tags);
    }
  }

  /** Registers the meters of families that are new, and removes those of families that are gone. */
  void updateFamilies() {
    // A reading may update all bindings. Whoever did so with the lock of one of them could wait
    // for a thread that does so with the lock of another one.
    update(statistics.families());
  }

  /** Same, with the families of the newest statistics. */
  void updateKnownFamilies() {
    update(statistics.knownFamilies());
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

  /** Removes all meters that this binding has added. */
  synchronized void close() {
    closed = true;
    remove(ofDatabase);
    ofFamilies.values().forEach(this::remove);
    ofFamilies.clear();
  }
}
