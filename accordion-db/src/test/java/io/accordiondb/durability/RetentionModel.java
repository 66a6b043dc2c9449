// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.encoding.CellType;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * What a reader must find in one family, and what it may find, worked out from all cells ever
 * written, in the order of their writing.
 *
 * <p>The two are the same but for one case: where a marker deletes a single version, an older one
 * that was beyond the limit of versions before may or may not come to light, as documented.
 */
final class RetentionModel {
  /** A cell; markers of a family stand at the empty qualifier. */
  record Written(
      String row, String qualifier, long timestamp, CellType type, long sequence, String value) {
    private boolean hides(Written put) {
      boolean exact = type == CellType.DELETE || type == CellType.DELETE_FAMILY_VERSION;
      return sequence > put.sequence
          && (exact ? timestamp == put.timestamp : timestamp >= put.timestamp);
    }

    private boolean isOfFamily() {
      return type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
    }

    private boolean isExact() {
      return type == CellType.DELETE || type == CellType.DELETE_FAMILY_VERSION;
    }
  }

  private record Column(String row, String qualifier) {}

  private final VersionRules rules;
  private final Map<Column, List<Written>> puts = new HashMap<>();
  private final Map<String, List<Written>> markers = new HashMap<>();

  RetentionModel(VersionRules rules) {
    this.rules = rules;
  }

  void add(Written cell) {
    if (cell.type == CellType.PUT) {
      Column column = new Column(cell.row, cell.qualifier);
      puts.computeIfAbsent(column, any -> new ArrayList<>()).add(cell);
    } else {
      markers.computeIfAbsent(cell.row, any -> new ArrayList<>()).add(cell);
    }
  }

  /**
   * Returns what is wrong with the versions found of a column, or null.
   *
   * @param found the values found, by timestamp
   * @param sequence up to which the reader reads
   */
  String mistake(
      String row, String qualifier, Map<Long, String> found, long sequence, long nowMillis) {
    Reading reading = new Reading(row, qualifier, sequence, nowMillis);
    for (long timestamp : reading.timestamps) {
      String value = found.get(timestamp);
      if (value == null && reading.sure.contains(timestamp)) {
        return "version " + timestamp + " is missing";
      }
      if (value != null && !reading.valuesPossible(timestamp).contains(value)) {
        return "version " + timestamp + " must not be there with " + value;
      }
    }
    return reading.timestamps.containsAll(found.keySet()) ? null : "versions never written";
  }

  /** One column as of one moment. */
  private final class Reading {
    private final long sequence;
    private final long oldestLive;
    private final List<Written> seen;
    private final List<Written> hiding;

    /** The put written last of each timestamp. */
    private final TreeMap<Long, Written> versions = new TreeMap<>();

    final Set<Long> timestamps;
    final Set<Long> sure = new HashSet<>();

    Reading(String row, String qualifier, long sequence, long nowMillis) {
      this.sequence = sequence;
      this.oldestLive = rules.oldestLiveTimestamp(nowMillis);
      this.seen =
          puts.getOrDefault(new Column(row, qualifier), List.of()).stream()
              .filter(put -> put.sequence <= sequence)
              .toList();
      this.hiding =
          markers.getOrDefault(row, List.of()).stream()
              .filter(marker -> marker.sequence <= sequence)
              .filter(marker -> marker.isOfFamily() || marker.qualifier.equals(qualifier))
              .toList();
      seen.forEach(put -> versions.put(put.timestamp, put));
      this.timestamps = versions.keySet();
      for (Written version : versions.values()) {
        if (!isHidden(version, sequence) && !couldBeDropped(version)) {
          sure.add(version.timestamp);
        }
      }
    }

    Set<String> valuesPossible(long timestamp) {
      Set<String> values = new HashSet<>();
      Written last = versions.get(timestamp);
      if (sure.contains(timestamp)) {
        return Set.of(last.value);
      }
      long newer = sure.stream().filter(other -> other > timestamp).count();
      if (!isBeyondLimit(timestamp, newer)) {
        // The last one may have been dropped where an older one of its timestamp was not met.
        seen.stream()
            .filter(put -> put.timestamp == timestamp && !isHidden(put, sequence))
            .forEach(put -> values.add(put.value));
      }
      return values;
    }

    private boolean isHidden(Written put, long upTo) {
      return hiding.stream().anyMatch(marker -> marker.sequence <= upTo && marker.hides(put));
    }

    private boolean isBeyondLimit(long timestamp, long newer) {
      return newer >= rules.maxVersions()
          || (timestamp < oldestLive && newer >= rules.minVersions());
    }

    /** Returns whether a version was beyond the limit at any time since it was written. */
    private boolean couldBeDropped(Written version) {
      LongStream moments = LongStream.of(sequence);
      if (hiding.stream().anyMatch(Written::isExact)) {
        // Only markers of single versions bring a version back within the limit.
        moments =
            LongStream.concat(moments, seen.stream().mapToLong(Written::sequence))
                .filter(moment -> moment >= version.sequence);
      }
      return moments.anyMatch(
          moment -> isBeyondLimit(version.timestamp, newerThan(version, moment)));
    }

    private long newerThan(Written version, long moment) {
      return seen.stream()
          .filter(put -> put.timestamp > version.timestamp && put.sequence <= moment)
          .filter(put -> !isHidden(put, moment))
          .mapToLong(Written::timestamp)
          .distinct()
          .count();
    }
  }
}
