// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import com.fasterxml.jackson.core.JsonGenerator;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.MemStoreStatistics;
import io.accordiondb.memstore.SegmentStatistics;
import io.accordiondb.statistics.StoreStatistics;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Writes the stores of a database: those {@value #STORES_MAX} with the most memory, so that a frame
 * stays small for any number of regions.
 */
final class StoreWriter {
  static final int STORES_MAX = 48;

  private StoreWriter() {}

  static void write(JsonGenerator json, DatabaseStatistics figures) throws IOException {
    List<StoreStatistics> stores =
        figures.tables().stream().flatMap(table -> table.stores().stream()).toList();
    List<StoreStatistics> shown =
        stores.stream()
            .sorted(
                Comparator.comparingLong((StoreStatistics store) -> store.memory().usedBytes())
                    .reversed())
            .limit(STORES_MAX)
            .toList();
    json.writeNumberField("storeCount", stores.size());
    json.writeArrayFieldStart("stores");
    long share = figures.memory().budgetBytes() / Math.max(1, stores.size());
    for (StoreStatistics store : shown) {
      write(json, store, share);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, StoreStatistics store, long share)
      throws IOException {
    MemStoreStatistics memory = store.memory();
    MemStorePolicy policy = memory.policy();
    json.writeStartObject();
    json.writeStringField("id", Changes.idOf(store));
    json.writeStringField("table", store.table());
    json.writeStringField("family", store.family());
    json.writeNumberField("region", store.region());
    json.writeStringField("start", store.startRow());
    json.writeStringField("end", store.endRow());
    json.writeNumberField("share", share);
    json.writeObjectFieldStart("policy");
    json.writeStringField("kind", policy.kind().name());
    json.writeNumberField("a", policy.activeFraction());
    json.writeNumberField("s", policy.pipelineSegmentsMax());
    json.writeNumberField("r", policy.redundancyThreshold());
    json.writeStringField("schedule", policy.mergeSchedule().name());
    json.writeEndObject();
    writeFraction(json, "t", memory.throttle());
    writeFraction(json, "u", memory.uniqueness());
    json.writeStringField("decision", memory.lastDecision());
    json.writeNumberField("used", memory.usedBytes());
    json.writeNumberField("seals", memory.inMemoryFlushes());
    json.writeNumberField("merges", memory.merges());
    json.writeNumberField("compactions", memory.compactions());
    json.writeNumberField("eliminatedCells", memory.cellsEliminated());
    json.writeNumberField("eliminatedBytes", memory.bytesEliminated());
    json.writeFieldName("active");
    write(json, memory.active());
    writeAll(json, "pipeline", memory.pipeline());
    writeAll(json, "snapshot", memory.snapshot());
    json.writeNumberField("files", store.files().count());
    json.writeNumberField("fileBytes", store.files().bytes());
    json.writeNumberField("runs", store.sortedRuns());
    json.writeBooleanField("flushing", store.flushing());
    json.writeBooleanField("compacting", store.compacting());
    json.writeEndObject();
  }

  private static void writeFraction(JsonGenerator json, String name, double value)
      throws IOException {
    if (!Double.isNaN(value)) {
      json.writeNumberField(name, DatabaseWriter.rounded(value));
    }
  }

  private static void writeAll(JsonGenerator json, String name, List<SegmentStatistics> segments)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (SegmentStatistics segment : segments) {
      write(json, segment);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, SegmentStatistics segment) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", segment.kind().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("cells", segment.cells());
    json.writeNumberField("data", segment.dataBytes());
    json.writeNumberField("held", segment.heldBytes());
    json.writeNumberField("index", segment.indexBytes());
    if (segment.cells() > 0) {
      json.writeNumberField("min", segment.minSequence());
      json.writeNumberField("max", segment.maxSequence());
    }
    json.writeEndObject();
  }
}
