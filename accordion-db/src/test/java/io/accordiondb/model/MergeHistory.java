// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.MergeOperator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
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
      long timestamp) {
    Write at(long time) {
      return new Write(row, family, qualifier, kind, value, time);
    }
  }

  /** An operator that is none of the database's own. */
  static final MergeOperator PREPEND =
      MergeOperator.associative("prepend", (older, newer) -> joined(newer, older));

  private record Numbered(Write write, int number) {}

  private final Map<String, MergeOperator> operators;

  /** By row/family:qualifier, what concerns a column, in the order of writing. */
  private final Map<String, List<Numbered>> columns = new TreeMap<>();

  private int size;

  MergeHistory(Map<String, MergeOperator> operators) {
    this.operators = operators;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  void add(Write write) {
    Numbered numbered = new Numbered(write, size++);
    String row = write.row() + "/" + write.family() + ":";
    if (write.qualifier() != null) {
      columns.computeIfAbsent(row + write.qualifier(), key -> new ArrayList<>()).add(numbered);
    } else {
      columns.forEach(
          (name, written) -> {
            if (name.startsWith(row)) {
              written.add(numbered);
            }
          });
    }
  }

  /** Returns what was written from a point on, in its order. */
  List<Write> after(int from) {
    SortedMap<Integer, Write> found = new TreeMap<>();
    for (List<Numbered> written : columns.values()) {
      for (Numbered each : written) {
        if (each.number >= from) {
          found.put(each.number, each.write);
        }
      }
    }
    return List.copyOf(found.values());
  }

  /** Returns how much was written. */
  int size() {
    return size;
  }

  /** Forgets what was written after a point. */
  void truncate(int end) {
    columns.values().forEach(written -> written.removeIf(each -> each.number >= end));
    size = end;
  }

  /** Gives what was written after a point, and has no time yet, a time. */
  void date(int from, long time) {
    for (List<Numbered> written : columns.values()) {
      written.replaceAll(
          each ->
              each.number >= from && each.write.timestamp() == TableRun.UNDATED
                  ? new Numbered(each.write.at(time), each.number)
                  : each);
    }
  }

  /** Returns the columns that have a value, as row/family:qualifier, with their values as text. */
  Map<String, String> read(int upTo, long oldestLive) {
    Map<String, String> values = new TreeMap<>();
    columns.forEach(
        (name, written) -> {
          byte[] value = valueOf(written, upTo, oldestLive);
          if (value != null) {
            values.put(name, new String(value, StandardCharsets.ISO_8859_1));
          }
        });
    return values;
  }

  private byte @Nullable [] valueOf(List<Numbered> written, int upTo, long oldestLive) {
    byte[] value = null;
    for (Numbered each : written) {
      if (each.number >= upTo) {
        break;
      }
      Write write = each.write;
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
