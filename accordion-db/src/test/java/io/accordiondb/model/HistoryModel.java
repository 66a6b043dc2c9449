// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.Cell;
import io.accordiondb.Query;
import io.accordiondb.TableDescriptor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.VersionRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a table must hold, kept in the simplest way: all cells ever written, in order. What a reader
 * sees is worked out again for each read, from the definitions.
 */
final class HistoryModel {
  /** A cell and its place in the history. */
  private record Entry(Cell cell, long sequence) {}

  /** Rows whose cells were deleted, whatever they were; of one family, or of all if it is null. */
  private record DeletedRange(byte[] start, byte[] stop, @Nullable String family, long sequence) {
    boolean contains(byte[] row, String column) {
      return Arrays.compareUnsigned(start, row) <= 0
          && (stop.length == 0 || Arrays.compareUnsigned(row, stop) < 0)
          && (family == null || column.startsWith(family + ":"));
    }
  }

  private final Map<String, VersionRules> rules = new HashMap<>();
  private final List<DeletedRange> deletedRanges = new ArrayList<>();

  /** By row, then by family and qualifier, joined by a colon. */
  private final NavigableMap<byte[], NavigableMap<String, List<Entry>>> rows =
      new TreeMap<>(Arrays::compareUnsigned);

  HistoryModel(TableDescriptor table) {
    setRules(table);
  }

  private HistoryModel(HistoryModel other) {
    rules.putAll(other.rules);
    deletedRanges.addAll(other.deletedRanges);
    other.rows.forEach(
        (row, columns) -> {
          NavigableMap<String, List<Entry>> copy = new TreeMap<>();
          columns.forEach((column, entries) -> copy.put(column, new ArrayList<>(entries)));
          rows.put(row, copy);
        });
  }

  /** Returns a model of the same history that goes on independently. */
  HistoryModel copy() {
    return new HistoryModel(this);
  }

  /** Changes the rules of the families; a family that the table does not have loses its cells. */
  void setRules(TableDescriptor table) {
    rules.clear();
    table.families().forEach(family -> rules.put(family.name(), family.versionRules()));
    rows.values()
        .forEach(
            columns ->
                columns.keySet().removeIf(c -> !rules.containsKey(c.substring(0, c.indexOf(':')))));
  }

  void add(Cell cell, long sequence) {
    String column = text(cell.family()) + ":" + text(cell.qualifier());
    rows.computeIfAbsent(cell.row(), row -> new TreeMap<>())
        .computeIfAbsent(column, name -> new ArrayList<>())
        .add(new Entry(cell, sequence));
  }

  void deleteRange(byte[] start, byte[] stop, long sequence) {
    deletedRanges.add(new DeletedRange(start, stop, null, sequence));
  }

  /** Deletes a range of one family, as a change feed delivers it. */
  void deleteRange(byte[] start, byte[] stop, byte[] family, long sequence) {
    deletedRanges.add(new DeletedRange(start, stop, text(family), sequence));
  }

  void clear() {
    deletedRanges.clear();
    rows.clear();
  }

  /** Returns all rows that were ever written. */
  NavigableSet<byte[]> rowsWritten() {
    return rows.navigableKeySet();
  }

  /** Returns what a query finds of a row when it reads up to a place in the history. */
  List<Cell> read(byte[] row, Query<?> query, long sequence, long nowMillis) {
    List<Cell> found = new ArrayList<>();
    NavigableMap<String, List<Entry>> columns = left(row, sequence);
    for (Map.Entry<String, List<Entry>> column : columns.entrySet()) {
      Cell any = column.getValue().get(0).cell();
      if (asksFor(query, any)) {
        found.addAll(readColumn(columns, any, query, sequence, nowMillis));
      }
    }
    return found;
  }

  /** Returns all cells of a row up to a place in the history, but those of deleted ranges. */
  Set<Cell> written(byte[] row, long sequence) {
    Set<Cell> written = new HashSet<>();
    left(row, sequence).values().forEach(e -> e.forEach(entry -> written.add(entry.cell())));
    return written;
  }

  /** Returns the cells of a row without those that a deletion of a range has taken. */
  private NavigableMap<String, List<Entry>> left(byte[] row, long sequence) {
    NavigableMap<String, List<Entry>> left = new TreeMap<>();
    rows.getOrDefault(row, Collections.emptyNavigableMap())
        .forEach(
            (column, entries) -> {
              long deletedBelow =
                  deletedRanges.stream()
                      .filter(range -> range.sequence <= sequence && range.contains(row, column))
                      .mapToLong(DeletedRange::sequence)
                      .max()
                      .orElse(0);
              List<Entry> later =
                  entries.stream().filter(entry -> entry.sequence >= deletedBelow).toList();
              if (!later.isEmpty()) {
                left.put(column, later);
              }
            });
    return left;
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

  /**
   * Returns the versions of a column that a reader sees. A version that a marker hides is seen only
   * in a family that keeps deleted cells, by a reader whose time range ends before the marker. It
   * counts as a version there, but not against versions that are not hidden.
   */
  private List<Cell> readColumn(
      Map<String, List<Entry>> columns, Cell column, Query<?> query, long sequence, long now) {
    VersionRules familyRules = rules.getOrDefault(text(column.family()), VersionRules.DEFAULT);
    long oldestLive = familyRules.oldestLiveTimestamp(now);
    List<Entry> markers = new ArrayList<>(markers(columns, column, sequence));
    List<Entry> expired = expired(columns, column, markers, sequence, now);
    markers.addAll(expired);
    List<Cell> visible = new ArrayList<>();
    int all = 0;
    int unhidden = 0;
    for (Entry put : newestOfEachTimestamp(columns, column, sequence)) {
      if (expired.contains(put)) {
        continue;
      }
      List<Entry> hiding = markers.stream().filter(marker -> hides(marker, put)).toList();
      if (hiding.stream().anyMatch(marker -> drops(marker, familyRules, oldestLive))) {
        continue;
      }
      long timestamp = put.cell().timestamp();
      int rank = hiding.isEmpty() ? unhidden : all;
      all++;
      unhidden += hiding.isEmpty() ? 1 : 0;
      boolean live = timestamp >= oldestLive;
      boolean kept = rank < familyRules.maxVersions() && (live || rank < familyRules.minVersions());
      if (kept
          && timestamp >= query.minTimestamp()
          && timestamp < query.maxTimestamp()
          && hiding.stream().noneMatch(m -> m.cell().timestamp() < query.maxTimestamp())
          && visible.size() < query.versions()) {
        visible.add(query.allTags() ? put.cell() : withTtlAlone(put.cell()));
      }
    }
    return visible;
  }

  /** Returns a cell as readers see it who do not ask for all tags. */
  static Cell withTtlAlone(Cell cell) {
    return new Cell(
        cell.row(),
        cell.family(),
        cell.qualifier(),
        cell.timestamp(),
        cell.type(),
        cell.value(),
        cell.ttlMillis());
  }

  /**
   * Returns the puts whose own time to live has passed, unless a marker hides them: each is a
   * marker of its column.
   */
  private static List<Entry> expired(
      Map<String, List<Entry>> columns, Cell column, List<Entry> markers, long sequence, long now) {
    return entriesOf(columns, column.family(), column.qualifier()).stream()
        .filter(entry -> entry.sequence() <= sequence && entry.cell().type() == CellType.PUT)
        .filter(entry -> entry.cell().ttlMillis() != VersionRules.FOREVER)
        .filter(entry -> entry.cell().timestamp() < now - entry.cell().ttlMillis())
        .filter(entry -> markers.stream().noneMatch(marker -> hides(marker, entry)))
        .toList();
  }

  private static List<Entry> newestOfEachTimestamp(
      Map<String, List<Entry>> columns, Cell column, long sequence) {
    NavigableMap<Long, Entry> newest = new TreeMap<>(Comparator.reverseOrder());
    for (Entry entry : entriesOf(columns, column.family(), column.qualifier())) {
      if (entry.sequence() <= sequence && entry.cell().type() == CellType.PUT) {
        newest.merge(
            entry.cell().timestamp(), entry, (a, b) -> a.sequence() > b.sequence() ? a : b);
      }
    }
    return List.copyOf(newest.values());
  }

  private static List<Entry> markers(Map<String, List<Entry>> columns, Cell column, long sequence) {
    List<Entry> markers = new ArrayList<>();
    for (Entry entry : entriesOf(columns, column.family(), column.qualifier())) {
      if (entry.sequence() <= sequence && entry.cell().type() != CellType.PUT) {
        markers.add(entry);
      }
    }
    if (column.qualifier().length > 0) {
      for (Entry entry : entriesOf(columns, column.family(), new byte[0])) {
        if (entry.sequence() <= sequence && isFamilyMarker(entry.cell().type())) {
          markers.add(entry);
        }
      }
    }
    return markers;
  }

  private static List<Entry> entriesOf(
      Map<String, List<Entry>> columns, byte[] family, byte[] qualifier) {
    return columns.getOrDefault(text(family) + ":" + text(qualifier), List.of());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
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
      case DELETE_COLUMN, DELETE_FAMILY, PUT -> markerTimestamp >= timestamp;
      case MERGE, DELETE_RANGE -> false;
    };
  }

  /** Returns whether what a marker hides is gone for every reader. */
  private static boolean drops(Entry marker, VersionRules rules, long oldestLive) {
    return rules.keepDeleted() == KeepDeletedCells.FALSE
        || (rules.keepDeleted() == KeepDeletedCells.TTL && marker.cell().timestamp() < oldestLive);
  }
}
