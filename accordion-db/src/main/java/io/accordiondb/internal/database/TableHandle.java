// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.Append;
import io.accordiondb.Cell;
import io.accordiondb.CellLimits;
import io.accordiondb.CompareOperator;
import io.accordiondb.Delete;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.cell.CellType;
import io.accordiondb.internal.region.StoreClosedException;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A table by its name. Holds nothing; looks the table up at each call. */
final class TableHandle implements Table {
  /** Reaches cells that bear a time to come; what is written after a marker stays all the same. */
  private static final long ALL_TIMESTAMPS = Long.MAX_VALUE - 1;

  /** Rows that a range delete deletes at a time. */
  private static final int ROWS_AT_ONCE = 1000;

  private final DatabaseEngine engine;
  private final String name;

  TableHandle(DatabaseEngine engine, String name) {
    this.engine = engine;
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public TableDescriptor descriptor() throws IOException {
    return engine.describe(name);
  }

  @Override
  public Result get(Get get) throws IOException {
    return withTable(table -> engine.reader().get(table, get));
  }

  /**
   * Returns the value of a column's newest version, or null.
   *
   * @param snapshot as of which it is read, or null
   */
  byte @Nullable [] value(byte[] row, byte[] family, byte[] qualifier, @Nullable Snapshot snapshot)
      throws IOException {
    CellLimits.checkRow("get", row);
    while (true) {
      TableState table = engine.tableState(name);
      try {
        return engine.reader().value(table, row, family, qualifier, snapshot);
      } catch (StoreClosedException e) {
        engine.awaitChange();
      }
    }
  }

  @Override
  public List<Result> get(List<Get> gets) throws IOException {
    return withTable(table -> engine.getAll(table, gets));
  }

  @Override
  public ResultScanner scan(Scan scan) throws IOException {
    return withTable(table -> engine.reader().scan(table, scan, engine::again));
  }

  @Override
  public void mutate(List<? extends Mutation> mutations) throws IOException {
    List<Write> writes = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      writes.add(new Write(name, mutation));
    }
    engine.writer().write(writes, null);
  }

  @Override
  public long deleteRange(byte[] startRow, byte[] stopRow) throws IOException {
    engine.checkWritable();
    Scan scan = new Scan().withStartRow(startRow).withStopRow(stopRow).setCacheBlocks(false);
    long deleted = 0;
    List<Delete> deletes = new ArrayList<>();
    try (ResultScanner scanner = scan(scan)) {
      Result next = scanner.next();
      while (next != null) {
        deletes.add(new Delete(next.row(), ALL_TIMESTAMPS));
        next = scanner.next();
        if (next == null || deletes.size() == ROWS_AT_ONCE) {
          mutate(deletes);
          deleted += deletes.size();
          deletes.clear();
        }
      }
    }
    return deleted;
  }

  @Override
  public boolean checkAndPut(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte @Nullable [] expected,
      Put put)
      throws IOException {
    return checkAndMutate(row, family, qualifier, operator, expected, put);
  }

  @Override
  public boolean checkAndDelete(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte @Nullable [] expected,
      Delete delete)
      throws IOException {
    return checkAndMutate(row, family, qualifier, operator, expected, delete);
  }

  private boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      byte @Nullable [] expected,
      Mutation mutation)
      throws IOException {
    Objects.requireNonNull(operator, "operator");
    if (!Arrays.equals(row, mutation.row())) {
      throw new IllegalArgumentException("the row that is checked is not the row that is changed");
    }
    Get get = new Get(row).addColumn(family, qualifier);
    return engine
        .writer()
        .readModifyWrite(
            name,
            row,
            mutation.durability(),
            (table, read, encoder) -> {
              byte[] stored = read.get(get).value(family, qualifier);
              if (!holds(stored, operator, expected)) {
                return false;
              }
              engine.writer().encode(table, mutation, read, encoder);
              return true;
            });
  }

  private static boolean holds(
      byte @Nullable [] stored, CompareOperator operator, byte @Nullable [] expected) {
    if (expected == null) {
      return operator == CompareOperator.NOT_EQUAL ? stored != null : stored == null;
    }
    return stored != null && operator.test(stored, expected);
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return modify(increment, TableHandle::sum);
  }

  @Override
  public long increment(byte[] row, byte[] family, byte[] qualifier, long amount)
      throws IOException {
    Result result = increment(new Increment(row).addColumn(family, qualifier, amount));
    return ByteBuffer.wrap(result.cells().get(0).value()).getLong();
  }

  @Override
  public Result append(Append append) throws IOException {
    return modify(append, this::concatenation);
  }

  /** Computes a new value from the stored one and what the mutation carries. */
  private interface ValueFunction {
    byte[] apply(byte @Nullable [] stored, byte[] operand);
  }

  private Result modify(Mutation mutation, ValueFunction function) throws IOException {
    if (mutation.cells().isEmpty()) {
      throw new IllegalArgumentException(mutation + " has no column; add one with addColumn()");
    }
    Get get = new Get(mutation.row());
    mutation.cells().forEach(cell -> get.addColumn(cell.family(), cell.qualifier()));
    List<Cell> written = new ArrayList<>();
    engine
        .writer()
        .readModifyWrite(
            name,
            mutation.row(),
            mutation.durability(),
            (table, read, encoder) -> {
              written.clear();
              Result stored = read.get(get);
              Put put = new Put(mutation.row());
              for (Cell operand : mutation.cells()) {
                int again = indexOf(written, operand);
                Cell old =
                    again < 0
                        ? stored.cell(operand.family(), operand.qualifier())
                        : written.remove(again);
                byte[] value = function.apply(old == null ? null : old.value(), operand.value());
                // Never below the stored version, which would hide the new one.
                long timestamp =
                    old == null ? read.nowMillis() : Math.max(read.nowMillis(), old.timestamp());
                put.addColumn(operand.family(), operand.qualifier(), timestamp, value);
                written.add(
                    new Cell(
                        mutation.row(),
                        operand.family(),
                        operand.qualifier(),
                        timestamp,
                        CellType.PUT,
                        value));
              }
              encoder.add(table, put);
              return true;
            });
    return new Result(written);
  }

  /** Returns where a column was written already; -1 if it was not. */
  private static int indexOf(List<Cell> written, Cell operand) {
    for (int i = 0; i < written.size(); i++) {
      if (written.get(i).isOf(operand.family(), operand.qualifier())) {
        return i;
      }
    }
    return -1;
  }

  private static byte[] sum(byte @Nullable [] stored, byte[] amount) {
    if (stored == null) {
      return amount;
    }
    if (stored.length != Long.BYTES) {
      throw new IllegalArgumentException(
          "the column to increment has " + stored.length + " bytes, expected 8 of a number");
    }
    long sum = ByteBuffer.wrap(stored).getLong() + ByteBuffer.wrap(amount).getLong();
    return ByteBuffer.allocate(Long.BYTES).putLong(sum).array();
  }

  private byte[] concatenation(byte @Nullable [] stored, byte[] suffix) {
    if (stored == null) {
      return suffix;
    }
    long length = (long) stored.length + suffix.length;
    int lengthMax = engine.options().valueBytesMax();
    if (length > lengthMax) {
      throw new ValueTooLargeException("the value", length, lengthMax);
    }
    byte[] value = Arrays.copyOf(stored, (int) length);
    System.arraycopy(suffix, 0, value, stored.length, suffix.length);
    return value;
  }

  /** What is done with a table. */
  private interface TableFunction<T> {
    T apply(TableState table) throws IOException;
  }

  /** Looks the table up, and again if it was changed or dropped just then. */
  private <T> T withTable(TableFunction<T> function) throws IOException {
    while (true) {
      TableState table = engine.tableState(name);
      try {
        return function.apply(table);
      } catch (StoreClosedException e) {
        engine.awaitChange();
      }
    }
  }
}
