// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.accordiondb.DatabaseStatistics;
import io.accordiondb.dashboard.internal.sample.ShownDatabase.Reading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes frames and history as JSON, by the names that the page reads. */
final class FrameWriter {
  private static final JsonFactory JSON = new JsonFactory();

  private FrameWriter() {}

  /** What is written into a generator. */
  private interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] frame(
      long atMillis,
      List<ShownDatabase> databases,
      CollectorPauses.Total pauses,
      List<TimelineEvent> events) {
    return bytes(
        json -> {
          json.writeStartObject();
          json.writeNumberField("at", atMillis);
          writeProcess(json, pauses);
          json.writeArrayFieldStart("databases");
          for (ShownDatabase database : databases) {
            write(json, database);
          }
          json.writeEndArray();
          write(json, events);
          json.writeEndObject();
        });
  }

  static byte[] history(List<Frame> frames, List<TimelineEvent> events) {
    return bytes(
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("frames");
          for (Frame frame : frames) {
            json.writeRawValue(new String(frame.json(), StandardCharsets.UTF_8));
          }
          json.writeEndArray();
          write(json, events);
          json.writeEndObject();
        });
  }

  private static byte[] bytes(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      content.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void writeProcess(JsonGenerator json, CollectorPauses.Total pauses)
      throws IOException {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    json.writeObjectFieldStart("process");
    json.writeNumberField("pauses", pauses.count());
    json.writeNumberField("pauseMillis", pauses.millis());
    json.writeNumberField("heapUsed", heap.getUsed());
    json.writeNumberField("heapMax", heap.getMax());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, ShownDatabase database) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", database.name());
    json.writeStringField("state", database.state());
    Reading newest = database.newest();
    if (newest != null) {
      Reading oldest = database.oldest();
      DatabaseStatistics figures = newest.figures();
      new DatabaseWriter(json, figures, oldest.figures(), newest.nanos() - oldest.nanos()).write();
      StoreWriter.write(json, figures);
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, List<TimelineEvent> events) throws IOException {
    json.writeArrayFieldStart("events");
    for (TimelineEvent event : events) {
      json.writeStartObject();
      json.writeNumberField("n", event.number());
      json.writeNumberField("at", event.atMillis());
      json.writeStringField("database", event.database());
      json.writeStringField("kind", event.kind().label());
      json.writeStringField("text", event.text());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
