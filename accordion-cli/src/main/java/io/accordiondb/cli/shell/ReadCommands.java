// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.Bound;
import io.accordiondb.Filter;
import io.accordiondb.Get;
import io.accordiondb.Query;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.cli.shell.Command.Kind;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.filter.Filters;
import java.io.IOException;
import java.util.List;

/** Commands that read rows. */
final class ReadCommands {
  private static final int NUMBERS_OF_A_RANGE = 2;

  private static final String SELECTING_OPTIONS =
      "COLUMNS => [FAMILY:QUALIFIER, ...], VERSIONS => n, ALL_VERSIONS => true, TIMERANGE => [from,"
          + " to], TIMESTAMP => n, FILTER => \"...\", SNAPSHOT => name";

  private static final String QUERY_OPTIONS = SELECTING_OPTIONS + ", KEYS and VALUES => encoding.";

  private ReadCommands() {}

  static List<Command> all() {
    return List.of(
        Command.reading(
                "get",
                "TABLE, ROW [, COLUMN ...] [, OPTION => value ...]",
                "Prints a row, or some of its columns.",
                List.of(Kind.TABLE, Kind.ROW, Kind.COLUMN),
                ReadCommands::get)
            .with(QUERY_OPTIONS),
        Command.reading(
                "scan",
                "TABLE [, OPTION => value ...]",
                "Prints the rows of a range, in order.",
                List.of(Kind.TABLE),
                ReadCommands::scan)
            .with(
                "STARTROW, STOPROW (exclusive, unless INCLUDE_STOPROW => true), PREFIX, LIMIT (rows),",
                "REVERSED => true; and as for get:",
                QUERY_OPTIONS,
                FilterParser.HELP,
                "Example: scan users, PREFIX => 'ann', LIMIT => 10, FILTER => \"ValueFilter(=, x)\""),
        Command.reading(
                "count",
                "TABLE [, OPTION => value ...]",
                "Counts rows, with the options of scan that select rows and cells.",
                List.of(Kind.TABLE),
                ReadCommands::count)
            .with(
                "STARTROW, STOPROW, INCLUDE_STOPROW, PREFIX, LIMIT, REVERSED, "
                    + SELECTING_OPTIONS
                    + "."));
  }

  private static void get(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    Get get = new Get(arguments.bytes(1, "a row"));
    for (Value column : arguments.from(2)) {
      add(get, Column.parse(arguments.word(column, "a column")));
    }
    applyOptions(session, get, arguments);
    RowFormat format = RowFormat.of(session, arguments);
    arguments.check(Integer.MAX_VALUE);
    Result row = session.table(table).get(get);
    format.printHead(session.out());
    format.print(session.out(), row);
    session.out().note(row.isEmpty() ? "0 rows" : "1 row, " + cells(row.cells().size()));
  }

  private static String cells(long count) {
    return count == 1 ? "1 cell" : count + " cells";
  }

  private static void scan(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    Scan scan = scanOf(session, arguments);
    RowFormat format = RowFormat.of(session, arguments);
    arguments.check(1);
    long rows = 0;
    long cells = 0;
    format.printHead(session.out());
    try (ResultScanner scanner = session.table(table).scan(scan)) {
      for (Result row : scanner) {
        session.out().checkInterrupted();
        format.print(session.out(), row);
        rows++;
        cells += row.cells().size();
      }
    }
    session.out().note((rows == 1 ? "1 row, " : rows + " rows, ") + cells(cells));
  }

  private static void count(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    Scan scan = scanOf(session, arguments);
    arguments.check(1);
    Filter given = scan.filter();
    // Other filters may need all cells of a row to decide.
    if (given == null) {
      scan.setFilter(Filters.and(Filters.firstKeyOnly(), Filters.keyOnly()));
    }
    scan.setCacheBlocks(false);
    long rows = 0;
    try (ResultScanner scanner = session.table(table).scan(scan)) {
      for (Result row : scanner) {
        session.out().checkInterrupted();
        rows += row.isEmpty() ? 0 : 1;
      }
    }
    session.out().fields(new Fields().with("rows", rows));
  }

  private static Scan scanOf(Session session, Arguments arguments) throws IOException {
    Scan scan = new Scan();
    byte[] prefix = arguments.bytesOption("PREFIX", "ROWPREFIXFILTER");
    byte[] start = arguments.bytesOption("STARTROW");
    byte[] stop = arguments.bytesOption("STOPROW", "ENDROW");
    boolean includesStop = arguments.flag("INCLUDE_STOPROW");
    if (prefix != null && (start != null || stop != null)) {
      throw arguments.wrong("PREFIX cannot stand beside STARTROW or STOPROW");
    }
    if (prefix != null) {
      scan.setRowPrefix(prefix);
    }
    if (start != null) {
      scan.setStartRow(start);
    }
    if (stop != null) {
      scan.setStopRow(stop, includesStop ? Bound.INCLUSIVE : Bound.EXCLUSIVE);
    } else if (includesStop) {
      throw arguments.wrong("INCLUDE_STOPROW needs STOPROW");
    }
    if (arguments.flag("REVERSED")) {
      scan.setReversed(true);
    }
    long limit = arguments.numberOption("LIMIT", 0);
    if (limit > 0) {
      scan.setLimit(limit);
    } else if (arguments.option("LIMIT") != null) {
      throw arguments.wrong("LIMIT is " + limit + ", expected at least 1");
    }
    applyOptions(session, scan, arguments);
    return scan;
  }

  private static void add(Query<?> query, Column column) {
    byte[] qualifier = column.qualifier();
    if (qualifier == null) {
      query.addFamily(column.family());
    } else {
      query.addColumn(column.family(), qualifier);
    }
  }

  private static void applyOptions(Session session, Query<?> query, Arguments arguments) {
    for (Value column : arguments.listOption("COLUMNS", "COLUMN")) {
      add(query, Column.parse(arguments.word(column, "a column")));
    }
    applyVersions(query, arguments);
    applyTimes(query, arguments);
    String filter = arguments.wordOption("FILTER");
    if (filter != null) {
      query.setFilter(FilterParser.parse(filter));
    }
    String name = arguments.wordOption("SNAPSHOT");
    if (name != null) {
      Snapshot snapshot = session.snapshots().get(name);
      if (snapshot == null) {
        throw new IllegalArgumentException(
            "there is no snapshot " + name + "; snapshots lists those of this shell");
      }
      query.setSnapshot(snapshot);
    }
  }

  private static void applyVersions(Query<?> query, Arguments arguments) {
    boolean all = arguments.flag("ALL_VERSIONS");
    if (arguments.option("VERSIONS") == null) {
      if (all) {
        query.setAllVersions();
      }
      return;
    }
    if (all) {
      throw arguments.wrong("VERSIONS cannot stand beside ALL_VERSIONS");
    }
    long versions = arguments.numberOption("VERSIONS", 0);
    if (versions < 1) {
      throw arguments.wrong("VERSIONS is " + versions + ", expected at least 1");
    }
    query.setVersions((int) Math.min(Integer.MAX_VALUE, versions));
  }

  private static void applyTimes(Query<?> query, Arguments arguments) {
    boolean hasRange = arguments.option("TIMERANGE") != null;
    if (hasRange) {
      List<Value> range = arguments.listOption("TIMERANGE");
      if (range.size() != NUMBERS_OF_A_RANGE) {
        throw arguments.wrong("TIMERANGE is [FROM, TO], FROM inclusive, TO exclusive");
      }
      query.setTimeRange(
          arguments.number(range.get(0), "TIMERANGE"), arguments.number(range.get(1), "TIMERANGE"));
    }
    if (arguments.option("TIMESTAMP") != null) {
      if (hasRange) {
        throw arguments.wrong("TIMESTAMP cannot stand beside TIMERANGE");
      }
      query.setTimestamp(arguments.numberOption("TIMESTAMP", 0));
    }
  }
}
