// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.jmx;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.StallCause;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The attributes of a database's bean: their names, types and sources. */
final class DatabaseAttributes {
  private static final double NANOS_PER_MICRO = 1e3;

  private final Map<String, Attribute> byName = new LinkedHashMap<>();

  /**
   * One attribute.
   *
   * @param type name of the Java type
   * @param description for people
   * @param value gets its value from statistics
   */
  record Attribute(
      String type, String description, Function<DatabaseStatistics, @Nullable Object> value) {}

  private DatabaseAttributes() {}

  /** Returns all attributes by their names. */
  static Map<String, Attribute> all() {
    DatabaseAttributes attributes = new DatabaseAttributes();
    attributes.whole("nanosOpen", "nanoseconds since opening", DatabaseStatistics::nanosOpen);
    attributes.addHealth();
    attributes.addOperations();
    attributes.addWrites();
    attributes.addBackground();
    attributes.addMemory();
    attributes.addFiles();
    return attributes.byName;
  }

  private void addHealth() {
    text("health.writes", "OK, SUSPENDED or FAILED", s -> s.health().writes().name());
    text("health.reason", "why writes are refused", s -> s.health().reason());
    whole("health.backgroundErrors", "background failures", s -> s.health().backgroundErrors());
    text("health.lastBackgroundError", "the last one", s -> s.health().lastBackgroundError());
    whole("health.corruptions", "damaged places found", s -> s.health().corruptions());
  }

  private void addOperations() {
    for (OperationKind kind : OperationKind.values()) {
      String name = "operations." + kind;
      String label = kind.label();
      whole(name + ".count", label + ": how many", s -> s.operations().of(kind).count());
      micros(name + ".p50Micros", label + ": median", kind, 0.5);
      micros(name + ".p99Micros", label + ": 99th percentile", kind, 0.99);
      micros(name + ".p999Micros", label + ": 99.9th percentile", kind, 0.999);
      real(
          name + ".maxMicros",
          label + ": the longest",
          s -> s.operations().of(kind).latency().maxNanos() / NANOS_PER_MICRO);
    }
  }

  private void micros(String name, String description, OperationKind kind, double share) {
    real(
        name,
        description + ", in microseconds",
        s -> s.operations().of(kind).latency().percentileNanos(share) / NANOS_PER_MICRO);
  }

  private void addWrites() {
    whole("writes.batches", "batches committed", s -> s.writes().batches());
    whole("writes.cells", "cells committed", s -> s.writes().cells());
    whole("writes.bytes", "bytes of keys and values committed", s -> s.writes().bytes());
    for (StallCause cause : StallCause.values()) {
      String name = "stalls." + cause;
      whole(name + ".count", "writes held up", s -> s.writes().stalls().of(cause).count());
      whole(name + ".nanos", "nanoseconds held up", s -> s.writes().stalls().of(cause).nanos());
      whole(name + ".waiting", "writes waiting now", s -> s.writes().stalls().of(cause).waiting());
    }
    whole(
        "stalls.elapsedNanos",
        "nanoseconds in which any waited",
        s -> s.writes().stalls().elapsedNanos());
    whole("writes.mergeFailures", "merge operators failed", s -> s.writes().mergeFailures());
    whole("writes.filterFailures", "filters failed", s -> s.writes().filterFailures());
    text("stalls.lastReason", "why, the last time", s -> s.writes().stalls().lastReason());
    whole("log.bytes", "bytes of log files", s -> s.log().bytes());
    whole("log.bytesMax", "bytes that it may have", s -> s.log().bytesMax());
    whole("log.bytesAppended", "bytes appended to the log", s -> s.log().bytesAppended());
    whole("log.files", "log files", s -> s.log().files());
    whole("log.oldestSequence", "oldest sequence needed", s -> s.log().oldestSequence());
    whole("log.newestSequence", "newest sequence visible", s -> s.log().newestSequence());
    whole("log.keptFiles", "kept files", s -> s.log().keptFiles());
    whole("log.keptBytes", "bytes of kept files", s -> s.log().keptBytes());
    whole("log.oldestKeptSequence", "oldest sequence kept", s -> s.log().oldestKeptSequence());
  }

  private void addBackground() {
    whole("flushes.count", "flushes", s -> s.flushes().count());
    whole("flushes.running", "flushes running or waiting", s -> s.flushes().running());
    whole("flushes.cells", "cells flushed", s -> s.flushes().cells());
    whole("flushes.bytesWritten", "bytes flushed", s -> s.flushes().bytesWritten());
    whole("flushes.failures", "flushes failed", s -> s.flushes().failures());
    text("flushes.lastFailure", "why, the last time", s -> s.flushes().lastFailure());
    whole("compactions.count", "compactions", s -> s.compactions().count());
    whole("compactions.running", "compactions running", s -> s.compactions().running());
    whole("compactions.bytesRead", "bytes read", s -> s.compactions().bytesRead());
    whole("compactions.bytesWritten", "bytes written", s -> s.compactions().bytesWritten());
    whole("compactions.debtBytes", "bytes waiting", s -> s.compactions().debtBytes());
    whole("compactions.failures", "compactions failed", s -> s.compactions().failures());
    text("compactions.lastFailure", "why, the last time", s -> s.compactions().lastFailure());
  }

  private void addMemory() {
    whole("memory.usedBytes", "bytes in use", s -> s.memory().usedBytes());
    whole("memory.pressureBytes", "what slows writes down", s -> s.memory().pressureBytes());
    whole("memory.budgetBytes", "bytes that may be used", s -> s.memory().budgetBytes());
    whole("memory.heapBytes", "in use on the heap", s -> s.memory().heapBytes());
    whole("memory.offHeapBytes", "in use off the heap", s -> s.memory().offHeapBytes());
    whole("memory.pooledBytes", "in chunks for reuse", s -> s.memory().pooledBytes());
    whole("memory.activeBytes", "in active segments", s -> s.memory().activeBytes());
    whole("memory.pipelineBytes", "in pipelines", s -> s.memory().pipelineBytes());
    whole("memory.snapshotBytes", "in snapshots of flushes", s -> s.memory().snapshotBytes());
    whole("memory.indexBytes", "in indices", s -> s.memory().indexBytes());
    whole("memory.arenaBytes", "in arenas", s -> s.memory().arenaBytes());
    whole("memory.cells", "cells in memory", s -> s.memory().cells());
    whole("memory.dataBytes", "bytes of cells", s -> s.memory().dataBytes());
    whole("memory.pipelineSegments", "sealed segments", s -> s.memory().pipelineSegments());
    whole("memory.inMemoryFlushes", "in-memory flushes", s -> s.memory().inMemoryFlushes());
    whole("memory.merges", "in-memory merges", s -> s.memory().merges());
    whole("memory.compactions", "in-memory compactions", s -> s.memory().compactions());
    whole("memory.aborts", "merges given up", s -> s.memory().aborts());
    whole("memory.cellsEliminated", "cells dropped", s -> s.memory().cellsEliminated());
    whole("memory.bytesEliminated", "bytes dropped", s -> s.memory().bytesEliminated());
  }

  private void addFiles() {
    whole("cache.usedBytes", "bytes in use", s -> s.cache().usedBytes());
    whole("cache.budgetBytes", "bytes that may be used", s -> s.cache().budgetBytes());
    real("cache.hitRatio", "share of block reads answered", s -> s.cache().hitRatio());
    for (BlockKind kind : BlockKind.values()) {
      whole("cache." + kind + ".hits", "found", s -> s.cache().of(kind).hits());
      whole("cache." + kind + ".misses", "not found", s -> s.cache().of(kind).misses());
    }
    whole("files.count", "sorted tables", s -> s.files().count());
    whole("files.cells", "cells of sorted tables", s -> s.files().cells());
    whole("files.bytes", "bytes of sorted tables", s -> s.files().bytes());
    whole("files.largestRunBytes", "bytes of the largest runs", s -> s.files().largestRunBytes());
    real("amplification.write", "since opening", s -> s.amplification().sinceOpening().write());
    real("amplification.read", "since opening", s -> s.amplification().sinceOpening().read());
    real(
        "amplification.lastMinute.write",
        "within the last minute",
        s -> s.amplification().lastMinute().write());
    real(
        "amplification.lastMinute.read",
        "within the last minute",
        s -> s.amplification().lastMinute().read());
    real("amplification.space", "now", s -> s.amplification().space());
    whole("readers.readPoints", "read points held", s -> s.readers().readPoints());
    whole("readers.snapshots", "snapshots held", s -> s.readers().snapshots());
    whole("readers.oldestSequence", "oldest one held", s -> s.readers().oldestSequence());
    whole("readers.oldestAgeNanos", "for how long", s -> s.readers().oldestAgeNanos());
    whole("readers.leaked", "watched, never closed", s -> s.readers().leaked());
  }

  private void whole(String name, String description, ToLongFunction<DatabaseStatistics> value) {
    byName.put(name, new Attribute(Long.class.getName(), description, s -> value.applyAsLong(s)));
  }

  private void real(String name, String description, ToDoubleFunction<DatabaseStatistics> value) {
    byName.put(
        name, new Attribute(Double.class.getName(), description, s -> value.applyAsDouble(s)));
  }

  private void text(
      String name, String description, Function<DatabaseStatistics, @Nullable Object> value) {
    byName.put(name, new Attribute(String.class.getName(), description, value));
  }
}
