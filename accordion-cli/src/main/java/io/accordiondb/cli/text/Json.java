// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/** JSON for machines: records as objects, by the names of their components. */
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** Returns a value as one line. */
  public static String write(Object value) throws JsonProcessingException {
    return MAPPER.writeValueAsString(value);
  }

  /** Reads what {@link #write} has returned. */
  public static <T> T read(String json, Class<T> type) throws IOException {
    return MAPPER.readValue(json, type);
  }
}
