// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Get;
import io.accordiondb.HistoryLostException;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueCursor;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Query;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowCursor;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Random reads, each compared with what is expected. */
final class ModelReads {
  /** A snapshot and its place in the history. */
  record Held(Snapshot snapshot, long sequence) {}

  /** A scan of a table, as of a snapshot or of now. */
  record Probe(String table, Scan scan, @Nullable Held held) {
    @Override
    public String toString() {
      return String.format(
          "%s scan of %s from %s to %s, %d versions, times %d to %d, %d rows, as of %s",
          scan.reversed() ? "reversed" : "forward",
          table,
          text(scan.startRow()),
          text(scan.stopRow()),
          scan.versions(),
          scan.minTimestamp(),
          scan.maxTimestamp(),
          scan.limit(),
          held == null ? "now" : held.sequence());
    }

    private static String text(byte[] row) {
      int shown = Math.min(row.length, 8);
      return new String(row, 0, shown, ISO_8859_1) + "[" + row.length + "]";
    }
  }

  /** What a scan finds if the cells of its moment are gone: no real one has a row without cells. */
  private static final List<List<Cell>> LOST = List.of(List.of());

  private static final List<String> TABLES = List.of(ModelTables.A, ModelTables.B);

  private ModelReads() {}

  static Get get(String table, byte[] row, Draw draw) {
    return query(new Get(row), table, draw);
  }

  /** Returns a random scan of a random table. */
  static Probe probe(List<Held> snapshots, Draw draw) {
    String table = draw.pick(TABLES);
    Scan scan = scan(table, draw);
    Held held = snapshots.isEmpty() || !draw.oneIn(3) ? null : draw.pick(snapshots);
    if (held != null) {
      scan.setSnapshot(held.snapshot());
    }
    return new Probe(table, scan, held);
  }

  /** Returns a scan of all versions of a random table. */
  static Probe whole(Draw draw) {
    return new Probe(draw.pick(TABLES), new Scan().setAllVersions(), null);
  }

  private static Scan scan(String table, Draw draw) {
    Scan scan = query(new Scan(), table, draw).setReversed(draw.oneIn(2));
    switch (draw.number(7)) {
      case 0 -> scan.setStartRow(draw.row(), draw.bound());
      case 1 -> scan.setStopRow(draw.row(), draw.bound());
      case 2, 3 -> scan.setStartRow(draw.row(), draw.bound()).setStopRow(draw.row(), draw.bound());
      case 4 -> scan.setRowPrefix(bytes("r" + draw.number(4)));
      default -> {
        // All rows.
      }
    }
    return draw.oneIn(4) ? scan.setLimit(draw.number(13)) : scan;
  }

  private static <Q extends Query<Q>> Q query(Q query, String table, Draw draw) {
    switch (draw.number(4)) {
      case 0 -> query.setAllVersions();
      case 1 -> query.setVersions(1 + draw.number(4));
      default -> {
        // The newest version.
      }
    }
    List<String> families = ModelTables.FAMILIES.get(table);
    switch (draw.number(3)) {
      case 0 -> query.addFamily(bytes(draw.pick(families)));
      case 1 ->
          query
              .addColumn(bytes(draw.pick(families)), draw.qualifier())
              .addColumn(bytes(draw.pick(families)), draw.qualifier());
      default -> {
        // All columns.
      }
    }
    if (draw.oneIn(8)) {
      long from = draw.oneIn(2) ? 0 : draw.near();
      query.setTimeRange(from, Math.max(from, draw.near()));
    }
    return query.setCacheBlocks(!draw.oneIn(6)).setAllTags(draw.oneIn(6));
  }

  /** Returns the rows that a probe finds. */
  static List<List<Cell>> found(Database database, Probe probe) throws IOException {
    List<List<Cell>> found = new ArrayList<>();
    try (ResultScanner scanner = database.table(probe.table()).scan(probe.scan())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        found.add(result.cells());
      }
    } catch (HistoryLostException e) {
      return LOST;
    }
    return found;
  }

  /** Asserts that two lists of rows are the same, and shows the first row in which they differ. */
  static void assertSame(List<List<Cell>> found, List<List<Cell>> expected, Object what) {
    if (found.equals(expected)) {
      return;
    }
    int row = 0;
    while (row < found.size()
        && row < expected.size()
        && found.get(row).equals(expected.get(row))) {
      row++;
    }
    assertThat(row < found.size() ? found.get(row) : "no further row")
        .as("row %d of %s; %d rows found, %d expected", row, what, found.size(), expected.size())
        .isEqualTo(row < expected.size() ? expected.get(row) : "no further row");
  }

  /** Returns scans that together show all that a table can tell. */
  static List<Probe> allOf(String table, long now) {
    return List.of(
        new Probe(table, new Scan().setAllVersions(), null),
        new Probe(table, new Scan().setReversed(true), null),
        new Probe(table, new Scan().setAllVersions().setTimeRange(0, now - 150), null));
  }

  /** Checks all of a database against what is expected. */
  static void checkAll(Database database, Expected expected, long now) throws IOException {
    for (String table : expected.tables()) {
      for (Probe probe : allOf(table, now)) {
        check(database, expected, probe, now);
      }
      checkRaw(database, expected, table, now);
    }
    checkKeyValues(database, expected, now, false);
    checkKeyValues(database, expected, now, true);
  }

  /** Checks that a raw scan returns all that other scans do, and nothing that was not written. */
  private static void checkRaw(Database database, Expected expected, String table, long now)
      throws IOException {
    Probe visible = new Probe(table, new Scan().setAllVersions(), null);
    Set<Cell> returned = new HashSet<>();
    for (List<Cell> row : found(database, rawOf(table))) {
      assertThat(row).as("a row of a raw scan of %s", table).isNotEmpty();
      Set<Cell> written = expected.written(table, row.get(0).row());
      assertThat(written).as("cells written to a row of %s", table).containsAll(row);
      row.forEach(cell -> returned.add(HistoryModel.withTtlAlone(cell)));
    }
    for (List<Cell> row : answer(expected, visible, now)) {
      assertThat(returned).as("raw scan of %s", table).containsAll(row);
    }
  }

  private static Probe rawOf(String table) {
    return new Probe(table, new Scan().setRaw(true).setAllVersions(), null);
  }

  /** Checks the column without a name of the counters, read as keys and values. */
  private static void checkKeyValues(
      Database database, Expected expected, long now, boolean reversed) throws IOException {
    if (expected.descriptor(ModelTables.A).family(ModelTables.COUNTERS) == null) {
      // A fault has ended an alteration that replaces this family.
      return;
    }
    Scan scan = new Scan().addColumn(bytes(ModelTables.COUNTERS), new byte[0]);
    Probe probe = new Probe(ModelTables.A, scan.setReversed(reversed), null);
    KeyValueStore store = database.keyValueStore(ModelTables.A);
    try (KeyValueIterator all =
        reversed ? store.reverseRange(null, null) : store.range(null, null)) {
      for (List<Cell> row : answer(expected, probe, now)) {
        assertThat(all).as("%s, as keys and values", probe).hasNext();
        assertRow(all.next(), row);
      }
      assertThat(all).as("%s, as keys and values", probe).isExhausted();
    }
    try (KeyValueCursor cursor = store.cursor()) {
      boolean stands = reversed ? cursor.last() : cursor.first();
      for (List<Cell> row : answer(expected, probe, now)) {
        assertThat(stands).as("%s, by a cursor", probe).isTrue();
        assertRow(new KeyValue(cursor.keyBytes(), cursor.valueBytes()), row);
        stands = reversed ? cursor.previous() : cursor.next();
      }
      assertThat(stands).as("%s, by a cursor", probe).isFalse();
    }
    checkNeighbours(store, answer(expected, probe, now), reversed);
  }

  /** Checks the ends of a store, and what is found at and beside one of its keys. */
  private static void checkNeighbours(KeyValueStore store, List<List<Cell>> rows, boolean reversed)
      throws IOException {
    KeyValue end = reversed ? store.last() : store.first();
    if (rows.isEmpty()) {
      assertThat(end).isNull();
      return;
    }
    assertRow(end, rows.get(0));
    int middle = rows.size() / 2;
    byte[] key = rows.get(middle).get(0).row();
    assertRow(reversed ? store.floor(key) : store.ceiling(key), rows.get(middle));
    if (middle + 1 < rows.size()) {
      byte[] beside = reversed ? key : Arrays.copyOf(key, key.length + 1);
      try (KeyValueIterator next =
          reversed ? store.reverseRange(null, beside) : store.range(beside, null)) {
        assertRow(next.next(), rows.get(middle + 1));
      }
    }
  }

  private static void assertRow(@Nullable KeyValue found, List<Cell> row) {
    assertThat(found).isNotNull();
    assertThat(found.key()).isEqualTo(row.get(0).row());
    assertThat(found.value()).isEqualTo(row.get(0).value());
  }

  /** Checks one scan against what is expected. */
  static void check(Database database, Expected expected, Probe probe, long now)
      throws IOException {
    List<List<Cell>> answer = answer(expected, probe, now);
    assertSame(found(database, probe), answer, probe);
    Scan scan = probe.scan();
    if (answer != LOST
        && scan.limit() == Long.MAX_VALUE
        && scan.batch() == Integer.MAX_VALUE
        && !scan.reversed()) {
      checkCursor(database.table(probe.table()), probe, answer);
    }
  }

  /** Walks up with a cursor, and down again. */
  private static void checkCursor(Table table, Probe probe, List<List<Cell>> rows)
      throws IOException {
    List<List<Cell>> up = new ArrayList<>();
    List<List<Cell>> down = new ArrayList<>();
    try (RowCursor cursor = table.cursor(probe.scan())) {
      for (boolean stands = cursor.first(); stands; stands = cursor.next()) {
        up.add(cursor.result().cells());
      }
      for (boolean stands = cursor.last(); stands; stands = cursor.previous()) {
        down.add(0, cursor.result().cells());
      }
    }
    assertSame(up, rows, "up, by a cursor: " + probe);
    assertSame(down, rows, "down, by a cursor: " + probe);
  }

  /** Returns whether a database holds what is expected. */
  static boolean matches(Database database, Expected expected, long now) throws IOException {
    // Answers alone do not tell an empty family from none, nor a delete marker from none.
    if (!database.tables().equals(expected.descriptors())) {
      return false;
    }
    for (String table : expected.tables()) {
      for (List<Cell> row : found(database, rawOf(table))) {
        if (!expected.written(table, row.get(0).row()).containsAll(row)) {
          return false;
        }
      }
      for (Probe probe : allOf(table, now)) {
        if (!found(database, probe).equals(answer(expected, probe, now))) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<List<Cell>> answer(Expected expected, Probe probe, long now) {
    long sequence = probe.held() == null ? expected.sequence() : probe.held().sequence();
    // A scan of no rows looks at no cells.
    return probe.scan().limit() > 0 && expected.hasLost(probe.table(), probe.scan(), sequence)
        ? LOST
        : expected.scan(probe.table(), probe.scan(), sequence, now);
  }
}
