// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.accordiondb.Cell;
import io.accordiondb.ChangedCell;
import io.accordiondb.Delete;
import io.accordiondb.DeleteRange;
import io.accordiondb.Mutation;
import io.accordiondb.Query;
import io.accordiondb.Scan;
import io.accordiondb.TableDescriptor;
import io.accordiondb.encoding.CellType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the database must hold: a model of each table, and the place in their common history. */
final class Expected {
  private final SortedMap<String, TableDescriptor> descriptors = new TreeMap<>();
  private final SortedMap<String, HistoryModel> models = new TreeMap<>();

  /** When each family of each table last lost all of its cells. */
  private final Map<String, Long> losses = new HashMap<>();

  private long sequence;

  /** Adds a table without cells. */
  void create(TableDescriptor table) {
    descriptors.put(table.name(), table);
    models.put(table.name(), new HistoryModel(table));
  }

  /** Changes the families of a table. */
  void alter(TableDescriptor table) {
    for (String family : descriptors.get(table.name()).familyNames()) {
      if (table.family(family) == null) {
        lose(table.name(), family);
      }
    }
    descriptors.put(table.name(), table);
    models.get(table.name()).setRules(table);
  }

  /** Adds a table that holds what another one holds. */
  void copyTable(String original, TableDescriptor copy) {
    HistoryModel model = models.get(original).copy();
    model.setRules(copy);
    descriptors.put(copy.name(), copy);
    models.put(copy.name(), model);
  }

  /** Drops a table. */
  void drop(String table) {
    descriptors.remove(table);
    models.remove(table);
  }

  /** Returns the names of all tables. */
  Set<String> tables() {
    return descriptors.keySet();
  }

  /** Returns all tables, sorted by name. */
  List<TableDescriptor> descriptors() {
    return List.copyOf(descriptors.values());
  }

  /** Drops all cells of a table. */
  void truncate(String table) {
    models.get(table).clear();
    descriptors.get(table).familyNames().forEach(family -> lose(table, family));
  }

  private void lose(String table, String family) {
    losses.put(table + "/" + family, ++sequence);
  }

  /** Returns whether a query asks for cells that are gone, as of a moment. */
  boolean hasLost(String table, Query<?> query, long readSequence) {
    if (query.families().isEmpty()) {
      // Those that the table had at that moment are not only those that it has now.
      return losses.entrySet().stream()
          .anyMatch(
              loss -> loss.getKey().startsWith(table + "/") && loss.getValue() > readSequence);
    }
    return query.families().stream()
        .map(family -> table + "/" + new String(family, US_ASCII))
        .anyMatch(family -> losses.getOrDefault(family, 0L) > readSequence);
  }

  /** Returns the same, to go on independently. */
  Expected copy() {
    Expected copy = new Expected();
    copy.descriptors.putAll(descriptors);
    models.forEach((name, model) -> copy.models.put(name, model.copy()));
    copy.losses.putAll(losses);
    copy.sequence = sequence;
    return copy;
  }

  TableDescriptor descriptor(String table) {
    return descriptors.get(table);
  }

  /** Returns the place in the history up to which a reader now reads. */
  long sequence() {
    return sequence;
  }

  /** Adds the cells of a mutation, whose single versions have a timestamp, in their order. */
  void record(String table, Mutation mutation, long now) {
    HistoryModel model = models.get(table);
    if (mutation instanceof DeleteRange range) {
      model.deleteRange(range.startRow(), range.stopRow(), ++sequence);
    }
    if (mutation instanceof Delete delete && delete.cells().isEmpty()) {
      long timestamp = resolved(delete.timestamp(), now);
      descriptors
          .get(table)
          .families()
          .forEach(
              family ->
                  model.add(
                      marker(delete.row(), family.nameBytes(), timestamp, CellType.DELETE_FAMILY),
                      ++sequence));
    }
    for (Cell cell : mutation.cells()) {
      model.add(
          new Cell(
              cell.row(),
              cell.family(),
              cell.qualifier(),
              resolved(cell.timestamp(), now),
              cell.type(),
              cell.value(),
              cell.tags()),
          ++sequence);
    }
  }

  /** Adds a change that a feed has delivered. */
  void follow(ChangedCell changed) {
    HistoryModel model = models.get(changed.table());
    Cell cell = changed.cell();
    if (cell.type() == CellType.DELETE_RANGE) {
      model.deleteRange(cell.row(), cell.value(), cell.family(), ++sequence);
    } else {
      model.add(cell, ++sequence);
    }
  }

  private static long resolved(long timestamp, long now) {
    return timestamp == Mutation.LATEST_TIMESTAMP ? now : timestamp;
  }

  private static Cell marker(byte[] row, byte[] family, long timestamp, CellType type) {
    return new Cell(row, family, new byte[0], timestamp, type, new byte[0]);
  }

  /** Adds cells that come in one step, at one place in the history. */
  void ingest(String table, List<Cell> cells) {
    sequence++;
    cells.forEach(cell -> models.get(table).add(cell, sequence));
  }

  /** Returns what a query finds of a row. */
  List<Cell> read(String table, byte[] row, Query<?> query, long readSequence, long now) {
    return models.get(table).read(row, query, readSequence, now);
  }

  /** Returns all that was written to a row and that no deletion of a range has taken. */
  Set<Cell> written(String table, byte[] row) {
    return models.get(table).written(row, sequence);
  }

  /** Returns the rows that a scan finds. */
  List<List<Cell>> scan(String table, Scan scan, long readSequence, long now) {
    List<List<Cell>> found = new ArrayList<>();
    NavigableSet<byte[]> rows = models.get(table).rowsWritten();
    for (byte[] row : scan.reversed() ? rows.descendingSet() : rows) {
      if (found.size() < scan.limit() && isInside(scan, row)) {
        List<Cell> cells = read(table, row, scan, readSequence, now);
        if (!cells.isEmpty()) {
          found.add(cells);
        }
      }
    }
    return found;
  }

  /** Returns whether a scan wants a row. */
  static boolean isInside(Scan scan, byte[] row) {
    int sign = scan.reversed() ? -1 : 1;
    int fromStart =
        scan.startRow().length == 0 ? 1 : sign * Arrays.compareUnsigned(row, scan.startRow());
    int toStop =
        scan.stopRow().length == 0 ? 1 : sign * Arrays.compareUnsigned(scan.stopRow(), row);
    return (fromStart > 0 || (fromStart == 0 && scan.startInclusive()))
        && (toStop > 0 || (toStop == 0 && scan.stopInclusive()));
  }
}
