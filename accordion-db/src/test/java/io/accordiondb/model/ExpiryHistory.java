// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.CompactionFilter;
import io.accordiondb.retention.VersionRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
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

    /** Returns whether this concerns a column of the same row and family. */
    boolean isOf(Write column) {
      return qualifier == null || qualifier.equals(column.qualifier);
    }

    String column() {
      return rowAndFamily() + ":" + qualifier;
    }

    String rowAndFamily() {
      return row + "/" + family;
    }
  }

  /** A family's rules, and whether its readers ask the filter. */
  record Family(VersionRules rules, boolean filters) {}

  private record Numbered(Write write, int number) {}

  private final Map<String, Family> families;

  /** By column, each in the order of writing. */
  private final Map<String, List<Numbered>> puts = new TreeMap<>();

  /** By row and family, each in the order of writing. */
  private final Map<String, List<Numbered>> deletes = new HashMap<>();

  private int size;

  ExpiryHistory(Map<String, Family> families) {
    this.families = families;
  }

  /** Returns whether the filter drops a value. */
  static boolean isOver(String value, long now) {
    return Long.parseLong(value.substring(0, value.indexOf('|'))) <= now;
  }

  void add(Write write) {
    Map<String, List<Numbered>> written = write.value() == null ? deletes : puts;
    String key = write.value() == null ? write.rowAndFamily() : write.column();
    written.computeIfAbsent(key, any -> new ArrayList<>()).add(new Numbered(write, size++));
  }

  /** Returns how much was written. */
  int size() {
    return size;
  }

  /** Forgets what was written after a point. */
  void truncate(int end) {
    puts.values().forEach(written -> written.removeIf(each -> each.number >= end));
    deletes.values().forEach(written -> written.removeIf(each -> each.number >= end));
    size = end;
  }

  /** Returns the versions of each column that a reader sees, newest first. */
  Map<String, List<Write>> read(int upTo, long now) {
    Map<String, List<Write>> seen = new TreeMap<>();
    puts.forEach(
        (name, written) -> {
          List<Write> versions = versions(written, upTo, now);
          if (!versions.isEmpty()) {
            seen.put(name, versions);
          }
        });
    return seen;
  }

  private List<Write> versions(List<Numbered> written, int upTo, long now) {
    List<Numbered> undeleted =
        written.stream().filter(put -> put.number < upTo && !isDeleted(put, upTo)).toList();
    if (undeleted.isEmpty()) {
      return List.of();
    }
    Family family = families.get(undeleted.get(0).write.family());
    List<Numbered> expired = undeleted.stream().filter(put -> isExpired(put, family, now)).toList();
    TreeMap<Long, Write> newest = new TreeMap<>();
    for (Numbered put : undeleted) {
      boolean hidden =
          isExpired(put, family, now) || expired.stream().anyMatch(other -> hides(other, put));
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

  private boolean isDeleted(Numbered put, int upTo) {
    return deletes.getOrDefault(put.write.rowAndFamily(), List.of()).stream()
        .anyMatch(
            delete -> delete.number < upTo && delete.write.isOf(put.write) && hides(delete, put));
  }

  private static boolean isExpired(Numbered put, Family family, long now) {
    Write write = put.write;
    boolean outlived =
        write.ttlMillis() != VersionRules.FOREVER && write.timestamp() < now - write.ttlMillis();
    return outlived || (family.filters && isOver(String.valueOf(write.value()), now));
  }

  private static boolean hides(Numbered marker, Numbered put) {
    return marker.number > put.number && marker.write.timestamp() >= put.write.timestamp();
  }
}
