// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers.DoubleDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.accordiondb.statistics.LatencyHistogram;
import java.io.IOException;

/**
 * JSON for machines: records as objects, by the names of their components. NaN and the infinities,
 * which JSON does not have, are null.
 */
public final class Json {
  /** Without a limit to the length of a text: that of a value is the database's. */
  private static final StreamReadConstraints LONG_TEXTS =
      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build();

  private static final ObjectMapper MAPPER =
      new ObjectMapper(JsonFactory.builder().streamReadConstraints(LONG_TEXTS).build())
          .registerModule(module());

  private Json() {}

  private static SimpleModule module() {
    DoubleWriter doubles = new DoubleWriter();
    return new SimpleModule()
        .addSerializer(LatencyHistogram.class, new LatencyWriter())
        .addSerializer(double.class, doubles)
        .addSerializer(Double.class, doubles)
        .addDeserializer(double.class, new DoubleDeserializer(double.class, Double.NaN));
  }

  /** Returns a value as one line. */
  public static String write(Object value) throws JsonProcessingException {
    return MAPPER.writeValueAsString(value);
  }

  /** Reads what {@link #write} has returned. */
  public static <T> T read(String json, Class<T> type) throws IOException {
    return MAPPER.readValue(json, type);
  }

  /** Keeps a field from being a number at one time and a text at another. */
  private static final class DoubleWriter extends JsonSerializer<Double> {
    @Override
    public void serialize(Double value, JsonGenerator target, SerializerProvider serializers)
        throws IOException {
      if (Double.isFinite(value)) {
        target.writeNumber(value);
      } else {
        target.writeNull();
      }
    }
  }

  /** Writes the figures of a histogram that people ask for, instead of its ranges. */
  private static final class LatencyWriter extends JsonSerializer<LatencyHistogram> {
    @Override
    public void serialize(
        LatencyHistogram latency, JsonGenerator target, SerializerProvider serializers)
        throws IOException {
      target.writeStartObject();
      target.writeNumberField("timed", latency.count());
      target.writeNumberField("meanNanos", latency.meanNanos());
      target.writeNumberField("p50Nanos", latency.p50Nanos());
      target.writeNumberField("p99Nanos", latency.p99Nanos());
      target.writeNumberField("p999Nanos", latency.p999Nanos());
      target.writeNumberField("maxNanos", latency.maxNanos());
      target.writeEndObject();
    }
  }
}
