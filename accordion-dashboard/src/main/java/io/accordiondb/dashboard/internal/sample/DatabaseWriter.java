// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import com.fasterxml.jackson.core.JsonGenerator;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.statistics.AmplificationStatistics;
import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.CacheStatistics;
import io.accordiondb.statistics.CompactionStatistics;
import io.accordiondb.statistics.FlushStatistics;
import io.accordiondb.statistics.HealthStatistics;
import io.accordiondb.statistics.LatencyHistogram;
import io.accordiondb.statistics.LevelStatistics;
import io.accordiondb.statistics.LogStatistics;
import io.accordiondb.statistics.MemoryStatistics;
import io.accordiondb.statistics.OperationKind;
import io.accordiondb.statistics.OperationStatistics.Operation;
import io.accordiondb.statistics.StallCause;
import io.accordiondb.statistics.StallStatistics;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToLongFunction;

/** Writes one database's figures, all but those of its stores. Used once. */
final class DatabaseWriter {
  private static final double NANOS_A_SECOND = 1e9;

  private final JsonGenerator json;
  private final DatabaseStatistics now;
  private final DatabaseStatistics before;
  private final double seconds;

  /**
   * @param before earlier figures, for rates and latencies
   * @param nanos how much earlier
   */
  DatabaseWriter(
      JsonGenerator json, DatabaseStatistics now, DatabaseStatistics before, long nanos) {
    this.json = json;
    this.now = now;
    this.before = before;
    this.seconds = nanos / NANOS_A_SECOND;
  }

  void write() throws IOException {
    json.writeNumberField("openNanos", now.nanosOpen());
    writeHealth(now.health());
    json.writeNumberField("cells", now.writes().cells());
    json.writeNumberField("bytes", now.writes().bytes());
    json.writeNumberField("cellRate", rate(figures -> figures.writes().cells()));
    json.writeNumberField("byteRate", rate(figures -> figures.writes().bytes()));
    writeOperations();
    writeStalls(now.writes().stalls());
    writeLog(now.log());
    writeFlushes(now.flushes());
    writeCompactions(now.compactions());
    writeMemory(now.memory());
    writeCache(now.cache());
    writeLevels();
    writeAmplification(now.amplification());
    json.writeNumberField("readPoints", now.readers().readPoints());
    json.writeNumberField("snapshots", now.readers().snapshots());
  }

  private void writeHealth(HealthStatistics health) throws IOException {
    json.writeObjectFieldStart("health");
    json.writeStringField("writes", health.writes().name());
    json.writeStringField("reason", Objects.requireNonNullElse(health.reason(), ""));
    json.writeNumberField("backgroundErrors", health.backgroundErrors());
    json.writeNumberField("corruptions", health.corruptions());
    json.writeEndObject();
  }

  private double rate(ToLongFunction<DatabaseStatistics> counter) {
    return seconds <= 0
        ? 0
        : rounded(Math.max(0, counter.applyAsLong(now) - counter.applyAsLong(before)) / seconds);
  }

  /** Returns a number with three decimals, as the page needs no more. */
  static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }

  private void writeOperations() throws IOException {
    json.writeArrayFieldStart("operations");
    for (OperationKind kind : OperationKind.values()) {
      Operation operation = now.operations().of(kind);
      if (operation.count() > 0) {
        LatencyHistogram latency =
            operation.latency().minus(before.operations().of(kind).latency());
        json.writeStartObject();
        json.writeStringField("kind", kind.name());
        json.writeStringField("label", kind.label());
        json.writeNumberField("count", operation.count());
        json.writeNumberField("rate", rate(figures -> figures.operations().of(kind).count()));
        if (latency.count() > 0) {
          json.writeNumberField("p50", latency.p50Nanos());
          json.writeNumberField("p99", latency.p99Nanos());
          json.writeNumberField("p999", latency.p999Nanos());
          json.writeNumberField("max", latency.maxNanos());
        }
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  private void writeStalls(StallStatistics stalls) throws IOException {
    json.writeObjectFieldStart("stalls");
    json.writeNumberField("count", stalls.count());
    json.writeNumberField("nanos", stalls.nanos());
    json.writeNumberField("waiting", stalls.waiting());
    json.writeNumberField("elapsed", stalls.elapsedNanos());
    json.writeNumberField(
        "share",
        rounded(rate(figures -> figures.writes().stalls().elapsedNanos()) / NANOS_A_SECOND));
    json.writeStringField("reason", stalls.lastReason() == null ? "" : stalls.lastReason());
    for (StallCause cause : StallCause.values()) {
      json.writeNumberField(cause.name().toLowerCase(Locale.ROOT), stalls.of(cause).count());
    }
    json.writeEndObject();
  }

  private void writeLog(LogStatistics log) throws IOException {
    json.writeObjectFieldStart("log");
    json.writeNumberField("appended", log.bytesAppended());
    json.writeNumberField("bytes", log.bytes());
    json.writeNumberField("max", log.bytesMax());
    json.writeNumberField("files", log.files());
    json.writeNumberField("keptFiles", log.keptFiles());
    json.writeNumberField("keptBytes", log.keptBytes());
    json.writeNumberField("rate", rate(figures -> figures.log().bytesAppended()));
    json.writeEndObject();
  }

  private void writeFlushes(FlushStatistics flushes) throws IOException {
    json.writeObjectFieldStart("flushes");
    json.writeNumberField("count", flushes.count());
    json.writeNumberField("running", flushes.running());
    json.writeNumberField("bytes", flushes.bytesWritten());
    json.writeNumberField("cells", flushes.cells());
    json.writeNumberField("rate", rate(figures -> figures.flushes().bytesWritten()));
    json.writeEndObject();
  }

  private void writeCompactions(CompactionStatistics compactions) throws IOException {
    json.writeObjectFieldStart("compactions");
    json.writeNumberField("count", compactions.count());
    json.writeNumberField("running", compactions.running());
    json.writeNumberField("read", compactions.bytesRead());
    json.writeNumberField("bytes", compactions.bytesWritten());
    json.writeNumberField("debt", compactions.debtBytes());
    json.writeNumberField("rate", rate(figures -> figures.compactions().bytesWritten()));
    json.writeEndObject();
  }

  private void writeMemory(MemoryStatistics memory) throws IOException {
    json.writeObjectFieldStart("memory");
    json.writeNumberField("used", memory.usedBytes());
    json.writeNumberField("pressure", memory.pressureBytes());
    json.writeNumberField("budget", memory.budgetBytes());
    json.writeNumberField("heap", memory.heapBytes());
    json.writeNumberField("offHeap", memory.offHeapBytes());
    json.writeNumberField("cells", memory.cells());
    json.writeNumberField("inMemoryFlushes", memory.inMemoryFlushes());
    json.writeNumberField("merges", memory.merges());
    json.writeNumberField("compactions", memory.compactions());
    json.writeNumberField("eliminatedCells", memory.cellsEliminated());
    json.writeNumberField("eliminatedBytes", memory.bytesEliminated());
    json.writeEndObject();
  }

  private void writeCache(CacheStatistics cache) throws IOException {
    json.writeObjectFieldStart("cache");
    json.writeNumberField("used", cache.usedBytes());
    json.writeNumberField("budget", cache.budgetBytes());
    for (BlockKind kind : BlockKind.values()) {
      json.writeObjectFieldStart(kind.name().toLowerCase(Locale.ROOT));
      json.writeNumberField("hits", cache.of(kind).hits());
      json.writeNumberField("misses", cache.of(kind).misses());
      json.writeEndObject();
    }
    long hits = cache.blocks().hits() - before.cache().blocks().hits();
    long misses = cache.blocks().misses() - before.cache().blocks().misses();
    if (hits + misses > 0) {
      json.writeNumberField("ratio", rounded((double) hits / (hits + misses)));
    }
    json.writeEndObject();
  }

  private void writeLevels() throws IOException {
    json.writeArrayFieldStart("levels");
    for (LevelStatistics level : now.files().levels()) {
      json.writeStartObject();
      json.writeNumberField("level", level.level());
      json.writeNumberField("files", level.files());
      json.writeNumberField("bytes", level.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeAmplification(AmplificationStatistics amplification) throws IOException {
    json.writeObjectFieldStart("amplification");
    json.writeNumberField("write", rounded(amplification.sinceOpening().write()));
    json.writeNumberField("writeMinute", rounded(amplification.lastMinute().write()));
    json.writeNumberField("read", rounded(amplification.lastMinute().read()));
    json.writeNumberField("space", rounded(amplification.space()));
    json.writeNumberField("written", amplification.sinceOpening().bytesWritten());
    json.writeNumberField("committed", amplification.sinceOpening().bytesCommitted());
    json.writeEndObject();
  }
}
