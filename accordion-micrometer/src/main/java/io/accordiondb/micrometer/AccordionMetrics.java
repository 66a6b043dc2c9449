// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import io.accordiondb.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Publishes the statistics of a database as meters of Micrometer. Thread-safe.
 *
 * <pre>
 *   AccordionMetrics metrics = new AccordionMetrics(database);
 *   metrics.bindTo(registry);
 *   ...
 *   metrics.close();      // before the database
 * </pre>
 *
 * <p>All names begin with {@code accordion.}. Each meter has the tag {@code database}; those of
 * single families, which begin with {@code accordion.family.}, also have {@code table} and {@code
 * family}, and add up the regions of the table. Meters of families that are created later appear at
 * the next reading; those of dropped families disappear. The statistics are read at most once a
 * second, and only while meters are read. After the database has been closed, all values are NaN.
 */
public final class AccordionMetrics implements MeterBinder, AutoCloseable {
  private final Statistics statistics;
  private final Tags tags;
  private final List<Binding> bindings = new CopyOnWriteArrayList<>();

  /**
   * Makes meters of a database, which is named by the last name of its folder, or {@code memory}.
   * Databases whose folders have the same last name, or that are in memory, need tags of their own
   * in one registry: it would keep the meters of the first, and log a warning.
   *
   * @param database the database
   */
  public AccordionMetrics(Database database) {
    this(database, Tags.of("database", nameOf(database)));
  }

  /**
   * Makes meters of a database.
   *
   * @param tags of all meters; they must tell this database from others that are bound to the same
   *     registry
   * @param database the database
   */
  public AccordionMetrics(Database database, Iterable<Tag> tags) {
    this.statistics =
        new Statistics(
            Objects.requireNonNull(database, "database")::statistics, this::onNewStatistics);
    this.tags = Tags.of(tags);
  }

  private static String nameOf(Database database) {
    return database.folder().map(Path::getFileName).map(Path::toString).orElse("memory");
  }

  private void onNewStatistics() {
    bindings.forEach(Binding::updateKnownFamilies);
  }

  /** Registers the meters. May be called with several registries. */
  @Override
  public void bindTo(MeterRegistry registry) {
    Binding binding = new Binding(registry, statistics, tags);
    bindings.add(binding);
    binding.updateFamilies();
  }

  /** Removes the meters that this has added from all registries. Idempotent. */
  @Override
  public void close() {
    for (Binding binding : bindings) {
      bindings.remove(binding);
      binding.close();
    }
  }
}
