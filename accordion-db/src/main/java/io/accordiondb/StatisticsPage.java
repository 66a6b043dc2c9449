// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MemStoreStatistics;
import io.accordiondb.memstore.SegmentStatistics;
import io.accordiondb.statistics.AmplificationStatistics;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.CacheStatistics;
import io.accordiondb.statistics.CompactionStatistics;
import io.accordiondb.statistics.FileStatistics;
import io.accordiondb.statistics.FlushStatistics;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.LatencyHistogram;
import io.accordiondb.statistics.LevelStatistics;
import io.accordiondb.statistics.LogStatistics;
import io.accordiondb.statistics.MemoryStatistics;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.OperationStatistics;
import io.accordiondb.statistics.ReaderStatistics;
import io.accordiondb.statistics.StallCause;
import io.accordiondb.statistics.StallStatistics;
import io.accordiondb.statistics.StoreStatistics;
import io.accordiondb.statistics.TableStatistics;
import io.accordiondb.statistics.WriteState;
import io.accordiondb.statistics.WriteStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats {@link DatabaseStatistics} as a page of text, with a section for each part. */
final class StatisticsPage {
  private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  private static final int UNIT = 1024;

  private final StringBuilder page = new StringBuilder();

  /** Formats all statistics. */
  static String of(DatabaseStatistics statistics) {
    StatisticsPage page = new StatisticsPage();
    page.line("Accordion, open for %s", time(statistics.nanosOpen()));
    page.add(statistics.health());
    page.add(statistics.operations());
    page.add(statistics.writes());
    page.add(statistics.log(), statistics.flushes(), statistics.compactions());
    page.add(statistics.memory());
    page.add(statistics.cache());
    page.add(statistics.files(), statistics.amplification());
    page.add(statistics.readers());
    page.add(statistics.tables());
    return page.page.toString();
  }

  private void add(HealthStatistics health) {
    if (health.writes() != WriteState.OK) {
      line("Writes are refused (%s): %s", health.writes(), health.reason());
    }
    if (health.corruptions() > 0) {
      line("Damaged places found: %,d", health.corruptions());
    }
    if (health.backgroundErrors() > 0) {
      line("Background work failed %,d times", health.backgroundErrors());
      last("  last: ", health.lastBackgroundError());
    }
  }

  private void add(OperationStatistics operations) {
    line("");
    line("%-24s%14s%11s%11s%11s%11s", "Operations", "count", "p50", "p99", "p99.9", "longest");
    operations
        .byKind()
        .forEach(
            (kind, operation) -> {
              if (operation.count() > 0) {
                add(kind, operation);
              }
            });
    if (operations.byKind().values().stream().allMatch(one -> one.count() == 0)) {
      line("  none yet");
    }
  }

  private void add(OperationKind kind, OperationStatistics.Operation operation) {
    LatencyHistogram latency = operation.latency();
    String name = "  " + kind.label();
    if (latency.count() == 0) {
      line("%-24s%,14d%11s", name, operation.count(), "not timed");
    } else {
      line(
          "%-24s%,14d%11s%11s%11s%11s",
          name,
          operation.count(),
          time(latency.p50Nanos()),
          time(latency.p99Nanos()),
          time(latency.p999Nanos()),
          time(latency.maxNanos()));
    }
  }

  private void add(WriteStatistics writes) {
    line("");
    line(
        "Writes        %,d batches, %,d cells, %s",
        writes.batches(), writes.cells(), bytes(writes.bytes()));
    StallStatistics stalls = writes.stalls();
    line(
        "Stalls        %,d for %s together, within %s; %d waiting now",
        stalls.count(), time(stalls.nanos()), time(stalls.elapsedNanos()), stalls.waiting());
    for (StallCause cause : StallCause.values()) {
      StallStatistics.Stalls one = stalls.of(cause);
      if (one.count() > 0) {
        line("  %-20s%,14d for %s", cause, one.count(), time(one.nanos()));
      }
    }
    last("  last: ", stalls.lastReason());
    if (writes.filterFailures() > 0) {
      line("  %,d times a compaction filter failed", writes.filterFailures());
    }
    if (writes.mergeFailures() > 0) {
      line("  %,d times a merge operator failed or was missing", writes.mergeFailures());
    }
  }

  private void add(LogStatistics log, FlushStatistics flushes, CompactionStatistics compactions) {
    line(
        "Log           %s in %d files, %s appended; needed from sequence %d, newest is %d",
        bytes(log.bytes()),
        log.files(),
        bytes(log.bytesAppended()),
        log.oldestSequence(),
        log.newestSequence());
    if (log.keptFiles() > 0) {
      line(
          "  kept: %s in %d files, from sequence %d",
          bytes(log.keptBytes()), log.keptFiles(), log.oldestKeptSequence());
    }
    line(
        "Flushes       %,d, %,d cells, %s written; %d running, %,d failed",
        flushes.count(),
        flushes.cells(),
        bytes(flushes.bytesWritten()),
        flushes.running(),
        flushes.failures());
    last("  last failure: ", flushes.lastFailure());
    line(
        "Compactions   %,d, %s read, %s written; %s waiting; %d running, %,d failed",
        compactions.count(),
        bytes(compactions.bytesRead()),
        bytes(compactions.bytesWritten()),
        bytes(compactions.debtBytes()),
        compactions.running(),
        compactions.failures());
    last("  last failure: ", compactions.lastFailure());
  }

  private void last(String label, @Nullable String text) {
    if (text != null) {
      line("%s%s", label, text);
    }
  }

  private void add(MemoryStatistics memory) {
    line("");
    line(
        "Memory        %s of %s: heap %s, off heap %s; %s pooled",
        bytes(memory.usedBytes()),
        bytes(memory.budgetBytes()),
        bytes(memory.heapBytes()),
        bytes(memory.offHeapBytes()),
        bytes(memory.pooledBytes()));
    if (memory.pressureBytes() > memory.usedBytes()) {
      line("  large values on the heap count as %s", bytes(memory.pressureBytes()));
    }
    line(
        "  active %s, pipelines %s in %d segments, snapshots %s; indices %s, arenas %s",
        bytes(memory.activeBytes()),
        bytes(memory.pipelineBytes()),
        memory.pipelineSegments(),
        bytes(memory.snapshotBytes()),
        bytes(memory.indexBytes()),
        bytes(memory.arenaBytes()));
    line("  %,d cells, %s of data", memory.cells(), bytes(memory.dataBytes()));
    line(
        "  %,d in-memory flushes, %,d merges, %,d compactions, %,d given up",
        memory.inMemoryFlushes(), memory.merges(), memory.compactions(), memory.aborts());
    line(
        "  eliminated in memory: %,d cells, %s",
        memory.cellsEliminated(), bytes(memory.bytesEliminated()));
  }

  private void add(CacheStatistics cache) {
    if (cache.budgetBytes() == 0) {
      line("Cache         off; %,d blocks read", cache.blocks().misses());
      return;
    }
    line(
        "Cache         %s of %s, hit ratio %s",
        bytes(cache.usedBytes()), bytes(cache.budgetBytes()), percent(cache.hitRatio()));
    for (BlockKind kind : BlockKind.values()) {
      CacheStatistics.Lookups lookups = cache.of(kind);
      line(
          "  %-8s%,14d hits%,14d misses %7s",
          kind.name().toLowerCase(Locale.ROOT),
          lookups.hits(),
          lookups.misses(),
          percent(lookups.hitRatio()));
    }
  }

  private void add(FileStatistics files, AmplificationStatistics amplification) {
    line("");
    line("Sorted tables %,d, %s, %,d cells", files.count(), bytes(files.bytes()), files.cells());
    for (LevelStatistics level : files.levels()) {
      line("  level %d%,10d files%14s", level.level(), level.files(), bytes(level.bytes()));
    }
    line(
        "Amplification write %.2f, read %.2f blocks a row, space %.2f",
        amplification.sinceOpening().write(),
        amplification.sinceOpening().read(),
        amplification.space());
    line(
        "  last %s: write %.2f, read %.2f blocks a row",
        time(amplification.lastMinute().nanos()),
        amplification.lastMinute().write(),
        amplification.lastMinute().read());
  }

  private void add(ReaderStatistics readers) {
    line(
        "Readers       %d read points, %d snapshots%s%s",
        readers.readPoints(),
        readers.snapshots(),
        readers.oldestAgeNanos() < 0
            ? ""
            : "; the oldest, of sequence "
                + readers.oldestSequence()
                + ", held for "
                + time(readers.oldestAgeNanos()),
        readers.leaked() == 0 ? "" : "; " + readers.leaked() + " never closed");
  }

  private void add(List<TableStatistics> tables) {
    for (TableStatistics table : tables) {
      line("");
      line(
          "Table %s: %d %s, %s in memory, %s in sorted tables",
          table.name(),
          table.regions(),
          table.regions() == 1 ? "region" : "regions",
          bytes(table.memoryBytes()),
          bytes(table.fileBytes()));
      table.stores().forEach(this::add);
    }
  }

  private void add(StoreStatistics store) {
    MemStoreStatistics memory = store.memory();
    MemStorePolicy policy = memory.policy();
    line(
        "  region %d [%s, %s) family %s: %s%s",
        store.region(),
        store.startRow(),
        store.endRow(),
        store.family(),
        work(store),
        store.files().levels().stream()
            .map(level -> "L" + level.level() + " " + level.files() + "/" + bytes(level.bytes()))
            .collect(Collectors.joining(", ")));
    line(
        "    %s A %s S %d R %s, t %.2f, u %s; %s",
        policy.kind(),
        policy.activeFraction(),
        policy.pipelineSegmentsMax(),
        policy.redundancyThreshold(),
        memory.throttle(),
        Double.isNaN(memory.uniqueness())
            ? "unknown"
            : String.format(Locale.ROOT, "%.2f", memory.uniqueness()),
        memory.lastDecision().isEmpty() ? "no decision yet" : memory.lastDecision());
    add("active", memory.active());
    memory.pipeline().forEach(segment -> add("pipeline", segment));
    memory.snapshot().forEach(segment -> add("snapshot", segment));
    line(
        "    %,d in-memory flushes, %,d merges, %,d compactions; eliminated %,d cells, %s",
        memory.inMemoryFlushes(),
        memory.merges(),
        memory.compactions(),
        memory.cellsEliminated(),
        bytes(memory.bytesEliminated()));
  }

  private static String work(StoreStatistics store) {
    return (store.flushing() ? "flushing, " : "") + (store.compacting() ? "compacting, " : "");
  }

  private void add(String place, SegmentStatistics segment) {
    line(
        "    %-9s%-7s%,12d cells%12s%s",
        place,
        segment.kind(),
        segment.cells(),
        bytes(segment.heldBytes()),
        segment.cells() == 0
            ? ""
            : "  sequence " + segment.minSequence() + " to " + segment.maxSequence());
  }

  private void line(String format, @Nullable Object... values) {
    page.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }

  private static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= UNIT && unit < BYTE_UNITS.length - 1) {
      value /= UNIT;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, BYTE_UNITS[unit]);
  }

  private static String time(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
    }
    if (nanos < 1_000_000_000) {
      return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
    return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
