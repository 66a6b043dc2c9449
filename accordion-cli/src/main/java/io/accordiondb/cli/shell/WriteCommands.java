// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import io.accordiondb.Append;
import io.accordiondb.CellLimits;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.CheckAndMutateResult;
import io.accordiondb.Delete;
import io.accordiondb.Increment;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.WriteBatch;
import io.accordiondb.cli.shell.Command.Kind;
import io.accordiondb.cli.text.BytesText;
import io.accordiondb.cli.text.Fields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Commands that write rows. */
final class WriteCommands {
  private static final List<Kind> CELL = List.of(Kind.TABLE, Kind.ROW, Kind.COLUMN);

  private WriteCommands() {}

  static List<Command> all() {
    return List.of(
        Command.writing(
            "put",
            "TABLE, ROW, COLUMN, VALUE [, TIMESTAMP]",
            "Writes a value.",
            CELL,
            WriteCommands::put),
        Command.writing(
                "delete",
                "TABLE, ROW [, COLUMN [, TIMESTAMP]]",
                "Deletes a row, a family of it, or a column.",
                CELL,
                WriteCommands::delete)
            .with("With a timestamp, what is not newer than that."),
        Command.writing(
            "deleterange",
            "TABLE, FROM, TO",
            "Deletes the rows from one, inclusive, to another, exclusive; '' for no bound.",
            List.of(Kind.TABLE, Kind.ROW, Kind.ROW),
            WriteCommands::deleteRange),
        Command.writing(
            "incr",
            "TABLE, ROW, COLUMN [, AMOUNT]",
            "Adds 1, or an amount, to a number of eight bytes, and prints the sum.",
            CELL,
            WriteCommands::increment),
        Command.writing(
            "append",
            "TABLE, ROW, COLUMN, SUFFIX",
            "Appends bytes to a value, and prints what it is then.",
            CELL,
            WriteCommands::append),
        Command.writing(
                "check_and_put",
                "TABLE, ROW, COLUMN, EXPECTED, VALUE",
                "Writes a value if the column has a certain one, in one step.",
                CELL,
                WriteCommands::checkAndPut)
            .with(
                "check_and_put TABLE, ROW, COLUMN, VALUE, ABSENT => true writes it if the column",
                "does not exist."));
  }

  private static void put(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    byte[] row = arguments.bytes(1, "a row");
    Column column = arguments.column();
    byte[] value = arguments.bytes(3, "a value");
    Put put = new Put(row);
    if (arguments.has(4)) {
      put.addColumn(
          column.family(), column.qualifierOrEmpty(), arguments.number(4, "a timestamp"), value);
    } else {
      put.addColumn(column.family(), column.qualifierOrEmpty(), value);
    }
    arguments.check(5);
    WriteBatch batch = session.batch();
    if (batch == null) {
      session.table(table).put(put);
    } else {
      batch.put(session.table(table).name(), put);
    }
  }

  private static void delete(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    Delete delete = new Delete(arguments.bytes(1, "a row"));
    arguments.check(4);
    if (arguments.has(2)) {
      Column column = arguments.column();
      if (arguments.has(3)) {
        addVersions(delete, column, CellLimits.checkTimestamp(arguments.number(3, "a timestamp")));
      } else {
        addAll(delete, column);
      }
    }
    WriteBatch batch = session.batch();
    if (batch == null) {
      session.table(table).delete(delete);
    } else {
      batch.delete(session.table(table).name(), delete);
    }
  }

  private static void addAll(Delete delete, Column column) {
    byte[] qualifier = column.qualifier();
    if (qualifier == null) {
      delete.addFamily(column.family());
    } else {
      delete.addColumns(column.family(), qualifier);
    }
  }

  private static void addVersions(Delete delete, Column column, long timestamp) {
    byte[] qualifier = column.qualifier();
    if (qualifier == null) {
      delete.addFamily(column.family(), timestamp);
    } else {
      delete.addColumns(column.family(), qualifier, timestamp);
    }
  }

  private static void deleteRange(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    byte[] from = arguments.bytes(1, "the first row");
    byte[] to = arguments.bytes(2, "the row behind the last");
    arguments.check(3);
    BatchCommands.refuseWithin(session, "deleterange");
    if (from.length == 0 && to.length == 0) {
      throw new IllegalArgumentException(
          "deleterange without bounds would delete all rows; truncate does that");
    }
    if (to.length > 0 && Arrays.compareUnsigned(from, to) >= 0) {
      throw new IllegalArgumentException(
          "the first row must be below the one behind the last; there is no row between them");
    }
    session.table(table).deleteRange(from, to);
    session.out().fields(new Fields().with("deleted", true));
  }

  private static void increment(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    byte[] row = arguments.bytes(1, "a row");
    Column column = arguments.column();
    long amount = arguments.has(3) ? arguments.number(3, "an amount") : 1;
    arguments.check(4);
    BatchCommands.refuseWithin(session, "incr");
    Result sum =
        session
            .table(table)
            .increment(
                new Increment(row).addColumn(column.family(), column.qualifierOrEmpty(), amount));
    byte[] value = sum.value(column.family(), column.qualifierOrEmpty());
    session
        .out()
        .fields(new Fields().with("value", value == null ? 0 : ByteBuffer.wrap(value).getLong()));
  }

  private static void append(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    byte[] row = arguments.bytes(1, "a row");
    Column column = arguments.column();
    byte[] suffix = arguments.bytes(3, "a suffix");
    RowFormat format = RowFormat.of(session, arguments);
    arguments.check(4);
    BatchCommands.refuseWithin(session, "append");
    Result changed =
        session
            .table(table)
            .append(new Append(row).addColumn(column.family(), column.qualifierOrEmpty(), suffix));
    byte[] value = changed.value(column.family(), column.qualifierOrEmpty());
    session
        .out()
        .fields(
            new Fields()
                .with("value", value == null ? "" : BytesText.format(value, format.values())));
  }

  private static void checkAndPut(Session session, Arguments arguments) throws IOException {
    String table = arguments.name(0, "a table");
    byte[] row = arguments.bytes(1, "a row");
    Column column = arguments.column();
    boolean absent = arguments.flag("ABSENT");
    CheckAndMutate.Builder check = CheckAndMutate.builder(row);
    byte[] qualifier = column.qualifierOrEmpty();
    if (absent) {
      check.ifNotExists(column.family(), qualifier);
    } else {
      check.ifEquals(column.family(), qualifier, arguments.bytes(3, "the expected value"));
    }
    byte[] value = arguments.bytes(absent ? 3 : 4, "a value");
    arguments.check(absent ? 4 : 5);
    BatchCommands.refuseWithin(session, "check_and_put");
    CheckAndMutateResult result =
        session
            .table(table)
            .checkAndMutate(check.build(new Put(row).addColumn(column.family(), qualifier, value)));
    session.out().fields(new Fields().with("written", result.succeeded()));
  }
}
