// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters whose values come from statistics.
 *
 * @param <T> type of the object that provides the figures
 */
final class MeterMaker<T> {
  static final String BYTES = "bytes";
  static final String SECONDS = "seconds";

  private static final String PREFIX = "accordion.";

  private final MeterRegistry registry;
  private final Reader<T> reader;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();

  /** The meters that were there before, compared by identity: a registry returns them again. */
  private final Set<Meter> others = Collections.newSetFromMap(new IdentityHashMap<>());

  private boolean hasFoundOthers;

  /** Reads a figure of the newest statistics. */
  interface Reader<T> {
    double read(ToDoubleFunction<T> figure);
  }

  MeterMaker(MeterRegistry registry, Reader<T> reader, Tags tags) {
    this.registry = registry;
    this.reader = reader;
    this.tags = tags;
    others.addAll(registry.getMeters());
  }

  /** Registers what only grows. */
  void counter(
      String name,
      @Nullable String unit,
      String description,
      Tags more,
      ToDoubleFunction<T> figure) {
    Reader<T> source = reader;
    add(
        // The function is held strongly until the meter is removed; what it is given only weakly.
        FunctionCounter.builder(PREFIX + name, registry, any -> source.read(figure))
            .baseUnit(unit)
            .description(description)
            .tags(tags.and(more))
            .register(registry));
  }

  void counter(String name, @Nullable String unit, String description, ToDoubleFunction<T> figure) {
    counter(name, unit, description, Tags.empty(), figure);
  }

  /** Registers what rises and falls. */
  void gauge(
      String name,
      @Nullable String unit,
      String description,
      Tags more,
      ToDoubleFunction<T> figure) {
    add(
        // Held strongly until the meter is removed.
        Gauge.builder(PREFIX + name, reader, source -> source.read(figure))
            .strongReference(true)
            .baseUnit(unit)
            .description(description)
            .tags(tags.and(more))
            .register(registry));
  }

  void gauge(String name, @Nullable String unit, String description, ToDoubleFunction<T> figure) {
    gauge(name, unit, description, Tags.empty(), figure);
  }

  private void add(Meter meter) {
    if (others.contains(meter)) {
      hasFoundOthers = true;
    } else {
      meters.add(meter);
    }
  }

  /** Returns whether the registry already had some of the meters; these show other figures. */
  boolean hasFoundOthers() {
    return hasFoundOthers;
  }

  /** Returns all meters that were added. */
  List<Meter> meters() {
    return List.copyOf(meters);
  }
}
