// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.accordiondb.Cell;
import io.accordiondb.CompareOperator;
import io.accordiondb.Database;
import io.accordiondb.Filter;
import io.accordiondb.Get;
import io.accordiondb.Query;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.RowCursor;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.filter.Filters;
import io.accordiondb.filter.MissingColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Random reads of the table, as of now and of snapshots, and their answers as text. */
final class MetamorphicReads {
  private static final int SHOWN_BYTES = 12;
  private static final int SHOWN_VALUE_BYTES = 2;

  private final MetamorphicDraw draw;
  private final List<Snapshot> snapshots;

  /**
   * Creates reads.
   *
   * @param snapshots those that are open at the time of each read
   */
  MetamorphicReads(MetamorphicDraw draw, List<Snapshot> snapshots) {
    this.draw = draw;
    this.snapshots = snapshots;
  }

  /** Returns what a random get finds. */
  String get(Table table, byte[] row) throws IOException {
    return text(List.of(table.get(query(new Get(row)))));
  }

  /** Returns what a random scan finds. */
  String scan(Table table) throws IOException {
    Scan scan = query(new Scan()).setReversed(draw.coin());
    switch (draw.number(5)) {
      case 0 -> scan.setStartRow(draw.row(), draw.bound());
      case 1 -> scan.setStopRow(draw.row(), draw.bound());
      case 2 -> scan.setStartRow(draw.row(), draw.bound()).setStopRow(draw.row(), draw.bound());
      case 3 -> scan.setRowPrefix(draw.rowPrefix());
      default -> {}
    }
    if (draw.oneIn(4)) {
      scan.setLimit(draw.number(9));
    }
    if (draw.oneIn(4)) {
      scan.setBatch(1 + draw.number(3));
    }
    boolean plain =
        !scan.reversed() && scan.limit() == Long.MAX_VALUE && scan.batch() == Integer.MAX_VALUE;
    return text(plain && draw.coin() ? foundByCursor(table, scan) : found(table, scan));
  }

  /** Returns what a cursor finds on its way down. */
  private static List<Result> foundByCursor(Table table, Scan scan) throws IOException {
    List<Result> results = new ArrayList<>();
    try (RowCursor cursor = table.cursor(scan)) {
      for (boolean stands = cursor.last(); stands; stands = cursor.previous()) {
        results.add(cursor.result());
      }
    }
    return results;
  }

  /** Returns all that a database holds at a time, also for readers of the past. */
  static List<Result> all(Database database, long now) throws IOException {
    return all(database, MetamorphicTable.NAME, now);
  }

  /** Returns all that a table holds at a time, also for readers of the past. */
  static List<Result> all(Database database, String name, long now) throws IOException {
    Table table = database.table(name);
    List<Result> all = found(table, new Scan().setAllVersions());
    all.addAll(found(table, new Scan().setAllVersions().setTimeRange(0, now - 150)));
    return all;
  }

  /** Returns all that a database holds at a time as text. */
  static String allAsText(Database database, long now) throws IOException {
    return text(all(database, now));
  }

  private static List<Result> found(Table table, Scan scan) throws IOException {
    List<Result> results = new ArrayList<>();
    try (ResultScanner scanner = table.scan(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        results.add(result);
      }
    }
    return results;
  }

  /** Returns results as text: the beginnings of what is long, and a hash of all of it. */
  static String text(List<Result> results) {
    StringBuilder text = new StringBuilder();
    int hash = results.hashCode();
    for (Result result : results) {
      text.append('{');
      for (Cell cell : result.cells()) {
        text.append(start(cell.row())).append('/').append(start(cell.family()));
        text.append(':').append(start(cell.qualifier())).append('/').append(cell.timestamp());
        text.append('=').append(hexadecimalStart(cell.value())).append(", ");
        hash = 31 * hash + Arrays.hashCode(cell.value());
      }
      text.append("} ");
    }
    return text.append('#').append(Integer.toHexString(hash)).toString();
  }

  private static String start(byte[] name) {
    return name.length <= SHOWN_BYTES
        ? new String(name, ISO_8859_1)
        : new String(name, 0, SHOWN_BYTES, ISO_8859_1) + "[" + name.length + "]";
  }

  private static String hexadecimalStart(byte[] value) {
    int shown = Math.min(value.length, SHOWN_VALUE_BYTES);
    return HexFormat.of().formatHex(value, 0, shown) + "[" + value.length + "]";
  }

  private <Q extends Query<Q>> Q query(Q query) {
    if (draw.oneIn(3)) {
      query.setVersions(1 + draw.number(4));
    } else if (draw.oneIn(10)) {
      query.setAllVersions();
    }
    if (draw.oneIn(3)) {
      query.addFamily(draw.family());
    }
    if (draw.oneIn(3)) {
      query.addColumn(draw.family(), draw.qualifier());
    }
    switch (draw.number(12)) {
      case 0, 1 -> {
        long from = draw.time();
        query.setTimeRange(from, from + draw.number(300));
      }
      // Of what is deleted and kept, this finds most.
      case 2 -> query.setTimeRange(0, draw.time());
      default -> {}
    }
    if (draw.oneIn(4)) {
      query.setFilter(filter(2));
    }
    if (draw.oneIn(5) && !snapshots.isEmpty()) {
      query.setSnapshot(draw.pick(snapshots));
    }
    return query;
  }

  private Filter filter(int depth) {
    CompareOperator operator = draw.pick(List.of(CompareOperator.values()));
    return switch (draw.number(depth > 0 ? 10 : 7)) {
      case 0 -> Filters.row(operator, draw.row());
      case 1 -> Filters.rowPrefix(draw.rowPrefix());
      case 2 -> Filters.family(operator, draw.family());
      case 3 -> Filters.qualifier(operator, draw.qualifier());
      case 4 -> Filters.qualifierPrefix(bytes("a"));
      case 5 -> Filters.value(operator, draw.value());
      case 6 ->
          Filters.singleColumnValue(
              bytes(MetamorphicTable.ONE),
              bytes("a"),
              operator,
              draw.value(),
              draw.coin() ? MissingColumn.KEEP_ROW : MissingColumn.SKIP_ROW);
      case 7 -> Filters.and(filter(depth - 1), filter(depth - 1));
      case 8 -> Filters.or(filter(depth - 1), filter(depth - 1));
      default -> Filters.not(filter(depth - 1));
    };
  }
}
