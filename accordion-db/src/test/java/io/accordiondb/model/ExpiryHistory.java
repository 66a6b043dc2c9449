// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.CompactionFilter;
import io.accordiondb.retention.VersionRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that was written to a table whose cells expire by themselves, in order. What a reader sees is
 * worked out again for each read, from the definition: a put that has expired, and that no delete
 * hides, is a delete of its column.
 */
final class ExpiryHistory {
  /** The name of {@link #FILTER}. */
  static final String FILTER_NAME = "until";

  /** Drops a value from the time on that it begins with. */
  static final CompactionFilter FILTER =
      cell -> {
        byte[] value = new byte[cell.value().remaining()];
        cell.value().get(value);
        return isOver(new String(value, StandardCharsets.ISO_8859_1), cell.nowMillis())
            ? CompactionFilter.Decision.DROP
            : CompactionFilter.Decision.KEEP;
      };

  /**
   * A write.
   *
   * @param qualifier null for a delete of all columns of the family
   * @param value null for a delete
   */
  record Write(
      String row,
      String family,
      @Nullable String qualifier,
      long timestamp,
      @Nullable String value,
      long ttlMillis) {

    boolean isOf(Write column) {
      return row.equals(column.row)
          && family.equals(column.family)
          && (qualifier == null || qualifier.equals(column.qualifier));
    }

    String column() {
      return row + "/" + family + ":" + qualifier;
    }
  }

  /** A family's rules, and whether its readers ask the filter. */
  record Family(VersionRules rules, boolean filters) {}

  private record Put(Write write, int number) {}

  private final Map<String, Family> families;
  private final List<Write> writes = new ArrayList<>();

  ExpiryHistory(Map<String, Family> families) {
    this.families = families;
  }

  /** Returns whether the filter drops a value. */
  static boolean isOver(String value, long now) {
    return Long.parseLong(value.substring(0, value.indexOf('|'))) <= now;
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

  /** Returns the versions of each column that a reader sees, newest first. */
  Map<String, List<Write>> read(int upTo, long now) {
    Map<String, List<Put>> columns = new TreeMap<>();
    for (int number = 0; number < upTo; number++) {
      Write write = writes.get(number);
      if (write.value() != null) {
        columns
            .computeIfAbsent(write.column(), any -> new ArrayList<>())
            .add(new Put(write, number));
      }
    }
    Map<String, List<Write>> seen = new TreeMap<>();
    columns.forEach(
        (name, puts) -> {
          List<Write> versions = versions(puts, upTo, now);
          if (!versions.isEmpty()) {
            seen.put(name, versions);
          }
        });
    return seen;
  }

  private List<Write> versions(List<Put> puts, int upTo, long now) {
    Family family = families.get(puts.get(0).write.family());
    List<Put> undeleted = puts.stream().filter(put -> !isDeleted(put, upTo)).toList();
    List<Put> expired = undeleted.stream().filter(put -> isExpired(put, family, now)).toList();
    TreeMap<Long, Write> newest = new TreeMap<>();
    for (Put put : undeleted) {
      boolean hidden =
          expired.contains(put) || expired.stream().anyMatch(other -> hides(other, put));
      if (!hidden) {
        newest.put(put.write.timestamp(), put.write);
      }
    }
    long oldestLive = family.rules.oldestLiveTimestamp(now);
    List<Write> versions = new ArrayList<>();
    for (Write version : newest.descendingMap().values()) {
      boolean live = version.timestamp() >= oldestLive;
      if (versions.size() < (live ? family.rules.maxVersions() : family.rules.minVersions())) {
        versions.add(version);
      }
    }
    return versions;
  }

  private boolean isDeleted(Put put, int upTo) {
    return writes.subList(put.number, upTo).stream()
        .anyMatch(
            write ->
                write.value() == null
                    && write.isOf(put.write)
                    && write.timestamp() >= put.write.timestamp());
  }

  private static boolean isExpired(Put put, Family family, long now) {
    Write write = put.write;
    boolean outlived =
        write.ttlMillis() != VersionRules.FOREVER && write.timestamp() < now - write.ttlMillis();
    return outlived || (family.filters && isOver(String.valueOf(write.value()), now));
  }

  private static boolean hides(Put marker, Put put) {
    return marker.number > put.number && marker.write.timestamp() >= put.write.timestamp();
  }
}
