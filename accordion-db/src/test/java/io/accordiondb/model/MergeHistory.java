// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.MergeOperator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that was written to a table with merge operators, in order; values are worked out from it.
 */
final class MergeHistory {
  /** One write to a column, or to a row of a family if the qualifier is null. */
  record Write(
      String row,
      String family,
      @Nullable String qualifier,
      char kind,
      byte[] value,
      long timestamp) {}

  private final Map<String, MergeOperator> operators;
  private final List<Write> writes = new ArrayList<>();

  MergeHistory(Map<String, MergeOperator> operators) {
    this.operators = operators;
  }

  void add(Write write) {
    writes.add(write);
  }

  /** Returns how much was written. */
  int size() {
    return writes.size();
  }

  /** Forgets what was written after a point. */
  void truncate(int size) {
    writes.subList(size, writes.size()).clear();
  }

  /** Returns the columns that have a value, as row/family:qualifier, with their values as text. */
  Map<String, String> read(int upTo, long oldestLive) {
    Map<String, List<Write>> columns = new TreeMap<>();
    for (Write write : writes.subList(0, upTo)) {
      if (write.qualifier() != null) {
        columns.computeIfAbsent(name(write), key -> new ArrayList<>()).add(write);
      } else {
        columns.forEach(
            (name, written) -> {
              if (name.startsWith(write.row() + "/" + write.family() + ":")) {
                written.clear();
              }
            });
      }
    }
    Map<String, String> values = new TreeMap<>();
    columns.forEach(
        (name, written) -> {
          byte[] value = valueOf(written, oldestLive);
          if (value != null) {
            values.put(name, new String(value, StandardCharsets.ISO_8859_1));
          }
        });
    return values;
  }

  private static String name(Write write) {
    return write.row() + "/" + write.family() + ":" + write.qualifier();
  }

  private byte @Nullable [] valueOf(List<Write> written, long oldestLive) {
    byte[] value = null;
    for (Write write : written) {
      boolean live = write.timestamp() >= oldestLive || !write.family().startsWith("ttl");
      if (write.kind() == 'd') {
        value = null;
      } else if (write.kind() == 'p') {
        value = live ? write.value() : null;
      } else if (live) {
        MergeOperator operator = operators.get(write.family());
        value = operator.apply(value, List.of(write.value()));
      }
    }
    return value;
  }
}
