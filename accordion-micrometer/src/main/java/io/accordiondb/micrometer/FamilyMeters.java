// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import static io.accordiondb.micrometer.MeterMaker.BYTES;

import io.accordiondb.micrometer.Statistics.Family;
import io.accordiondb.statistics.StoreStatistics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;

/** The meters of one family of a table. */
final class FamilyMeters {
  private FamilyMeters() {}

  /** Registers all of them, and returns them. */
  static List<Meter> register(
      MeterRegistry registry, Statistics statistics, Family family, Tags common) {
    Tags tags = common.and("table", family.table(), "family", family.name());
    MeterMaker<StoreStatistics> sums =
        new MeterMaker<>(registry, figure -> statistics.sum(family, figure), tags);
    addMemory(sums);
    addFiles(sums);
    MeterMaker<MemoryWork> work =
        new MeterMaker<>(registry, figure -> statistics.work(family, figure), tags);
    addWork(work);
    MeterMaker<StoreStatistics> means =
        new MeterMaker<>(registry, figure -> statistics.mean(family, figure), tags);
    means.gauge("family.throttle", null, "ADAPTIVE's t", store -> store.memory().throttle());
    means.gauge(
        "family.uniqueness",
        null,
        "ADAPTIVE's u: the share of different columns among cells merged last; NaN if unknown",
        store -> store.memory().uniqueness());
    List<Meter> all = new ArrayList<>(sums.meters());
    all.addAll(work.meters());
    all.addAll(means.meters());
    return List.copyOf(all);
  }

  private static void addMemory(MeterMaker<StoreStatistics> sums) {
    sums.gauge("family.memory", BYTES, "memory in use", store -> store.memory().usedBytes());
    sums.gauge(
        "family.active",
        BYTES,
        "held by active segments",
        store -> store.memory().active().heldBytes());
    sums.gauge(
        "family.pipeline.segments",
        null,
        "sealed segments in pipelines",
        store -> store.memory().pipelineSegments());
    sums.gauge("family.memory.cells", null, "cells in memory", store -> store.memory().cells());
  }

  private static void addWork(MeterMaker<MemoryWork> work) {
    work.counter(
        "family.in.memory.flushes", null, "active segments sealed", MemoryWork::inMemoryFlushes);
    work.counter(
        "family.in.memory.merges", null, "merges of indices in memory", MemoryWork::merges);
    work.counter(
        "family.in.memory.compactions", null, "compactions in memory", MemoryWork::compactions);
    work.counter(
        "family.eliminated.cells", null, "cells dropped in memory", MemoryWork::cellsEliminated);
    work.counter(
        "family.eliminated", BYTES, "bytes dropped in memory", MemoryWork::bytesEliminated);
  }

  private static void addFiles(MeterMaker<StoreStatistics> sums) {
    sums.gauge("family.files", null, "sorted tables", store -> store.files().count());
    sums.gauge("family.file.size", BYTES, "bytes of these", store -> store.files().bytes());
    sums.gauge(
        "family.compaction.debt",
        BYTES,
        "bytes of these that wait for a compaction",
        StoreStatistics::compactionDebtBytes);
  }
}
