// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.accordiondb.Cell;
import io.accordiondb.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What rows must hold: by row, then by family and qualifier, then by timestamp, the newest first.
 */
final class OwnContents extends TreeMap<Integer, TreeMap<String, NavigableMap<Long, byte[]>>> {
  private static final long serialVersionUID = 1L;

  /** Returns how many versions a family keeps. */
  static int versions(String family) {
    return family.equals(OwnRows.THREE) ? 3 : 1;
  }

  OwnContents copy() {
    OwnContents copy = new OwnContents();
    forEach(
        (row, columns) -> {
          TreeMap<String, NavigableMap<Long, byte[]>> copied = new TreeMap<>();
          columns.forEach((column, versions) -> copied.put(column, new TreeMap<>(versions)));
          copy.put(row, copied);
        });
    return copy;
  }

  NavigableMap<Long, byte[]> column(int row, String family, String qualifier) {
    return computeIfAbsent(row, any -> new TreeMap<>())
        .computeIfAbsent(family + ":" + qualifier, any -> new TreeMap<>(Comparator.reverseOrder()));
  }

  void put(int row, String family, String qualifier, long time, byte[] value) {
    NavigableMap<Long, byte[]> versions = column(row, family, qualifier);
    versions.put(time, value);
    while (versions.size() > versions(family)) {
      versions.pollLastEntry();
    }
  }

  /** Returns the cells of a row as text, in order. */
  List<String> lines(int row) {
    List<String> lines = new ArrayList<>();
    getOrDefault(row, new TreeMap<>())
        .forEach(
            (column, versions) ->
                versions.forEach((time, value) -> lines.add(line(column, time, value))));
    Collections.sort(lines);
    return lines;
  }

  /** Returns the cells of a result as text, in order. */
  static List<String> lines(@Nullable Result result) {
    List<String> lines = new ArrayList<>();
    if (result != null) {
      for (Cell cell : result.cells()) {
        String family = new String(cell.family(), ISO_8859_1);
        String qualifier = new String(cell.qualifier(), ISO_8859_1);
        lines.add(line(family + ":" + qualifier, cell.timestamp(), cell.value()));
      }
    }
    Collections.sort(lines);
    return lines;
  }

  static String line(String column, long time, byte[] value) {
    return column + "@" + time + "=" + new String(value, ISO_8859_1);
  }
}
