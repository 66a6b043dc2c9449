// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.util.LinkedHashMap;
import java.util.Map;

/** Names and values that are printed in the order in which they were added, as text or JSON. */
public final class Fields {
  private final Map<String, Object> fields = new LinkedHashMap<>();

  /** Adds a field. */
  public Fields with(String name, Object value) {
    fields.put(name, value);
    return this;
  }

  /** Returns the fields in their order. */
  public Map<String, Object> map() {
    return fields;
  }
}
