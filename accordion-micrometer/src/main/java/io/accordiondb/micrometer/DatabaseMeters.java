// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.micrometer;

import static io.accordiondb.micrometer.MeterMaker.BYTES;
import static io.accordiondb.micrometer.MeterMaker.SECONDS;

import io.accordiondb.DatabaseStatistics;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.StallCause;
import io.accordiondb.statistics.WriteState;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;

/** The meters of a database as a whole. */
final class DatabaseMeters {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double[] QUANTILES = {0.5, 0.99, 0.999, 1};

  private final MeterMaker<DatabaseStatistics> maker;

  private DatabaseMeters(MeterMaker<DatabaseStatistics> maker) {
    this.maker = maker;
  }

  /** Registers all of them, and returns them. */
  static List<Meter> register(MeterMaker<DatabaseStatistics> maker) {
    DatabaseMeters meters = new DatabaseMeters(maker);
    meters.addHealth();
    meters.addOperations();
    meters.addWrites();
    meters.addBackground();
    meters.addMemory();
    meters.addCache();
    meters.addFiles();
    meters.addReaders();
    return maker.meters();
  }

  private static Tags tag(String key, Enum<?> value) {
    return Tags.of(key, value.name().toLowerCase(Locale.ROOT));
  }

  private void addHealth() {
    maker.gauge(
        "writable",
        null,
        "0 while a failure stops writes, else 1",
        s -> s.health().writes() == WriteState.OK ? 1 : 0);
    maker.counter(
        "background.errors",
        null,
        "failures of background work",
        s -> s.health().backgroundErrors());
    maker.counter(
        "corruptions", null, "damaged places that were found", s -> s.health().corruptions());
  }

  private void addOperations() {
    for (OperationKind kind : OperationKind.values()) {
      Tags tags = tag("kind", kind);
      maker.counter(
          "operations",
          null,
          "operations that have ended, by kind",
          tags,
          s -> s.operations().of(kind).count());
      for (double quantile : QUANTILES) {
        maker.gauge(
            "operation.latency",
            SECONDS,
            "time within which a share of the operations ended, since the database was opened",
            tags.and("quantile", String.valueOf(quantile)),
            s -> s.operations().of(kind).latency().percentileNanos(quantile) / NANOS_PER_SECOND);
      }
    }
  }

  private void addWrites() {
    maker.counter("batches", null, "batches committed", s -> s.writes().batches());
    maker.counter("cells.committed", null, "cells committed", s -> s.writes().cells());
    maker.counter(
        "committed", BYTES, "bytes of keys and values committed", s -> s.writes().bytes());
    for (StallCause cause : StallCause.values()) {
      Tags tags = tag("cause", cause);
      maker.counter(
          "stalls",
          null,
          "writes slowed down or stopped, by cause",
          tags,
          s -> s.writes().stalls().of(cause).count());
      maker.counter(
          "stall.time",
          SECONDS,
          "time for which writes were held up, added up over them, by cause",
          tags,
          s -> s.writes().stalls().of(cause).nanos() / NANOS_PER_SECOND);
      maker.gauge(
          "stalled.writes",
          null,
          "writes that wait now, by cause",
          tags,
          s -> s.writes().stalls().of(cause).waiting());
    }
    maker.counter(
        "stall.elapsed",
        SECONDS,
        "time in which at least one write was held up",
        s -> s.writes().stalls().elapsedNanos() / NANOS_PER_SECOND);
    maker.gauge("log", BYTES, "bytes of log files", s -> s.log().bytes());
    maker.gauge("log.files", null, "log files", s -> s.log().files());
    maker.counter("log.appended", BYTES, "bytes appended", s -> s.log().bytesAppended());
    maker.gauge(
        "log.unflushed.cells",
        null,
        "sequence numbers from the oldest one that is only in memory to the newest",
        s -> s.log().newestSequence() + 1 - s.log().oldestSequence());
    addKeptLog();
    maker.counter(
        "merge.failures", null, "failures of merge operators", s -> s.writes().mergeFailures());
    maker.counter(
        "filter.failures",
        null,
        "failures of compaction filters",
        s -> s.writes().filterFailures());
  }

  private void addKeptLog() {
    maker.gauge("log.kept", BYTES, "bytes of kept log files", s -> s.log().keptBytes());
    maker.gauge("log.kept.files", null, "kept log files", s -> s.log().keptFiles());
    maker.gauge(
        "log.kept.cells",
        null,
        "sequence numbers from the oldest one in kept log files to the newest; 0 if none is kept",
        s ->
            s.log().oldestKeptSequence() < 0
                ? 0
                : s.log().newestSequence() + 1 - s.log().oldestKeptSequence());
  }

  private void addBackground() {
    maker.counter("flushes", null, "flushes to disk", s -> s.flushes().count());
    maker.gauge("flushes.running", null, "flushes under way", s -> s.flushes().running());
    maker.counter("flushed", BYTES, "bytes flushed", s -> s.flushes().bytesWritten());
    maker.counter("flush.failures", null, "flushes failed", s -> s.flushes().failures());
    maker.counter("compactions", null, "compactions", s -> s.compactions().count());
    maker.gauge("compactions.running", null, "under way", s -> s.compactions().running());
    maker.counter(
        "compaction.read", BYTES, "bytes compactions have read", s -> s.compactions().bytesRead());
    maker.counter(
        "compaction.written",
        BYTES,
        "bytes compactions have written",
        s -> s.compactions().bytesWritten());
    maker.gauge("compaction.debt", BYTES, "bytes that wait", s -> s.compactions().debtBytes());
    maker.counter(
        "compaction.failures", null, "compactions failed", s -> s.compactions().failures());
  }

  private void addMemory() {
    maker.gauge("memory.used", BYTES, "memory in use", s -> s.memory().usedBytes());
    maker.gauge(
        "memory.pressure",
        BYTES,
        "memory in use, or more if large values take a larger part of the heap",
        s -> s.memory().pressureBytes());
    maker.gauge("memory.budget", BYTES, "memory that may be used", s -> s.memory().budgetBytes());
    maker.gauge("memory.pooled", BYTES, "chunks waiting for reuse", s -> s.memory().pooledBytes());
    String segments = "held by segments, by what they are";
    maker.gauge(
        "memory.segments",
        BYTES,
        segments,
        Tags.of("part", "active"),
        s -> s.memory().activeBytes());
    maker.gauge(
        "memory.segments",
        BYTES,
        segments,
        Tags.of("part", "pipeline"),
        s -> s.memory().pipelineBytes());
    maker.gauge(
        "memory.segments",
        BYTES,
        segments,
        Tags.of("part", "snapshot"),
        s -> s.memory().snapshotBytes());
    String use = "held by segments, by what for";
    maker.gauge("memory.use", BYTES, use, Tags.of("for", "index"), s -> s.memory().indexBytes());
    maker.gauge("memory.use", BYTES, use, Tags.of("for", "cells"), s -> s.memory().arenaBytes());
    maker.gauge("memory.cells", null, "cells in memory", s -> s.memory().cells());
  }

  private void addCache() {
    maker.gauge("cache.used", BYTES, "bytes in use", s -> s.cache().usedBytes());
    maker.gauge("cache.budget", BYTES, "bytes that may be used", s -> s.cache().budgetBytes());
    for (BlockKind kind : BlockKind.values()) {
      String description = "lookups in the block cache, by kind of block and result";
      maker.counter(
          "cache.lookups",
          null,
          description,
          tag("kind", kind).and("result", "hit"),
          s -> s.cache().of(kind).hits());
      maker.counter(
          "cache.lookups",
          null,
          description,
          tag("kind", kind).and("result", "miss"),
          s -> s.cache().of(kind).misses());
    }
  }

  private void addFiles() {
    maker.gauge("files", null, "sorted tables", s -> s.files().count());
    maker.gauge("file.size", BYTES, "bytes of sorted tables", s -> s.files().bytes());
    maker.gauge(
        "write.amplification",
        null,
        "bytes written for each byte of keys and values committed, within the last minute",
        s -> s.amplification().lastMinute().write());
    maker.gauge(
        "read.amplification",
        null,
        "blocks looked at for each row read, within the last minute",
        s -> s.amplification().lastMinute().read());
    maker.gauge(
        "space.amplification",
        null,
        "bytes of sorted tables for each byte of the largest runs",
        s -> s.amplification().space());
  }

  private void addReaders() {
    maker.gauge("read.points", null, "read points held", s -> s.readers().readPoints());
    maker.gauge("snapshots", null, "snapshots held", s -> s.readers().snapshots());
    maker.gauge(
        "read.point.age",
        SECONDS,
        "for how long the oldest read point has been held; 0 if there is none",
        s -> Math.max(0, s.readers().oldestAgeNanos()) / NANOS_PER_SECOND);
    maker.counter(
        "leaks",
        null,
        "readers never closed, of those that are watched: by default one in 1,024",
        s -> s.readers().leaked());
  }
}
