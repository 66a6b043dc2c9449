// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transaction;

import io.accordiondb.internal.region.TableState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rows and ranges of rows, by table, that must not have changed when a transaction commits.
 * Belongs to one thread.
 */
final class ReadSet {
  /**
   * A table as it was when the transaction used it.
   *
   * @param families the families that it must still have
   */
  record TableKey(long id, String name, List<String> families) {
    /** Returns a table that was read, with all its families. */
    static TableKey of(TableState table) {
      return new TableKey(table.tableId(), table.name(), table.descriptor().familyNames());
    }

    /** Returns whether the table was read, and not only written. */
    boolean isRead() {
      return !families.isEmpty();
    }
  }

  private final Map<TableKey, NavigableSet<byte[]>> rows = new LinkedHashMap<>();
  private final Map<TableKey, List<RowRangeRead>> ranges = new LinkedHashMap<>();

  void addRow(TableKey table, byte[] row) {
    rows.computeIfAbsent(table, key -> new TreeSet<>(Arrays::compareUnsigned)).add(row);
  }

  /** Adds a range, which may grow afterwards. */
  void addRange(TableKey table, RowRangeRead range) {
    ranges.computeIfAbsent(table, key -> new ArrayList<>()).add(range);
  }

  Map<TableKey, NavigableSet<byte[]>> rows() {
    return Collections.unmodifiableMap(rows);
  }

  Map<TableKey, List<RowRangeRead>> ranges() {
    return Collections.unmodifiableMap(ranges);
  }

  /** Returns the rows of all tables. */
  Stream<byte[]> allRows() {
    return rows.values().stream().flatMap(Set::stream);
  }

  boolean isEmpty() {
    return rows.isEmpty() && ranges.isEmpty();
  }
}
