// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.cell.CellType;
import io.accordiondb.retention.VersionRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a table must hold, kept the simplest way: all cells ever written, in order. What a reader
 * sees is worked out anew each time, from the definitions.
 */
final class HistoryModel {
  /** A cell and its place in the history. */
  private record Entry(Cell cell, long sequence) {}

  private final Map<String, VersionRules> rules;

  /** By row, then by family and qualifier, joined by a colon. */
  private final NavigableMap<byte[], Map<String, List<Entry>>> rows =
      new TreeMap<>(Arrays::compareUnsigned);

  HistoryModel(TableDescriptor table) {
    rules = new HashMap<>();
    table.families().forEach(family -> rules.put(family.name(), family.versionRules()));
  }

  void add(Cell cell, long sequence) {
    String column = text(cell.family()) + ":" + text(cell.qualifier());
    rows.computeIfAbsent(cell.row(), row -> new TreeMap<>())
        .computeIfAbsent(column, name -> new ArrayList<>())
        .add(new Entry(cell, sequence));
  }

  void clear() {
    rows.clear();
  }

  TreeSet<byte[]> rowsWritten() {
    TreeSet<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);
    all.addAll(rows.keySet());
    return all;
  }

  /** Returns what a query finds of a row when it reads up to a place in the history. */
  List<Cell> read(byte[] row, Query<?> query, long sequence, long nowMillis) {
    List<Cell> found = new ArrayList<>();
    Map<String, List<Entry>> columns = rows.getOrDefault(row, Map.of());
    for (Map.Entry<String, List<Entry>> column : columns.entrySet()) {
      Cell any = column.getValue().get(0).cell();
      if (asksFor(query, any)) {
        found.addAll(readColumn(columns, any, query, sequence, nowMillis));
      }
    }
    return found;
  }

  private static boolean asksFor(Query<?> query, Cell cell) {
    if (query.families().isEmpty()) {
      return true;
    }
    if (query.families().stream().noneMatch(family -> Arrays.equals(family, cell.family()))) {
      return false;
    }
    byte[][] qualifiers = query.qualifiers(cell.family());
    return qualifiers == null
        || Arrays.stream(qualifiers).anyMatch(q -> Arrays.equals(q, cell.qualifier()));
  }

  private List<Cell> readColumn(
      Map<String, List<Entry>> columns, Cell column, Query<?> query, long sequence, long now) {
    String family = text(column.family());
    VersionRules familyRules = rules.getOrDefault(family, VersionRules.DEFAULT);
    List<Entry> markers = new ArrayList<>();
    Map<Long, Entry> newestByTimestamp = new HashMap<>();
    for (Entry entry : entriesOf(columns, family + ":" + text(column.qualifier()))) {
      if (entry.sequence() <= sequence) {
        if (entry.cell().type() == CellType.PUT) {
          newestByTimestamp.put(entry.cell().timestamp(), entry);
        } else {
          markers.add(entry);
        }
      }
    }
    if (column.qualifier().length > 0) {
      entriesOf(columns, family + ":").stream()
          .filter(entry -> entry.sequence() <= sequence)
          .filter(entry -> isFamilyMarker(entry.cell().type()))
          .forEach(markers::add);
    }
    List<Cell> visible = new ArrayList<>();
    int rank = 0;
    List<Entry> puts = new ArrayList<>(newestByTimestamp.values());
    puts.sort(Comparator.comparingLong((Entry put) -> put.cell().timestamp()).reversed());
    for (Entry put : puts) {
      if (markers.stream().anyMatch(marker -> hides(marker, put))) {
        continue;
      }
      long timestamp = put.cell().timestamp();
      boolean live = timestamp >= familyRules.oldestLiveTimestamp(now);
      boolean kept = rank < familyRules.maxVersions() && (live || rank < familyRules.minVersions());
      rank++;
      if (kept
          && timestamp >= query.minTimestamp()
          && timestamp < query.maxTimestamp()
          && visible.size() < query.versions()) {
        visible.add(put.cell());
      }
    }
    return visible;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static List<Entry> entriesOf(Map<String, List<Entry>> columns, String name) {
    return columns.getOrDefault(name, List.of());
  }

  private static boolean isFamilyMarker(CellType type) {
    return type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
  }

  private static boolean hides(Entry marker, Entry put) {
    if (marker.sequence() < put.sequence()) {
      return false;
    }
    long markerTimestamp = marker.cell().timestamp();
    long timestamp = put.cell().timestamp();
    return switch (marker.cell().type()) {
      case DELETE, DELETE_FAMILY_VERSION -> markerTimestamp == timestamp;
      case DELETE_COLUMN, DELETE_FAMILY -> markerTimestamp >= timestamp;
      case PUT -> false;
    };
  }
}
