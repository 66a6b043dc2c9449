// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Append;
import io.accordiondb.Cell;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.CellType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Writes values that are computed from the stored ones: increments and appends. Each is atomic for
 * its row. Thread-safe.
 */
final class ValueUpdates {
  private final TableWriter writer;

  ValueUpdates(TableWriter writer) {
    this.writer = writer;
  }

  /** Adds to numbers; returns the sums. */
  Result increment(String table, Increment increment) throws IOException {
    return modify(table, increment, ValueUpdates::sum);
  }

  /** Appends to values; returns them with what was appended. */
  Result append(String table, Append append) throws IOException {
    return modify(table, append, this::concatenation);
  }

  /**
   * Writes new values of columns.
   *
   * @param function computes a new value from the stored one and the operand; not asked where
   *     nothing is stored, since the operand is the value then
   */
  private Result modify(String table, Mutation mutation, BinaryOperator<byte[]> function)
      throws IOException {
    if (mutation.cells().isEmpty()) {
      throw new IllegalArgumentException(mutation + " has no column; add one with addColumn()");
    }
    Get get = new Get(mutation.row());
    mutation.cells().forEach(cell -> get.addColumn(cell.family(), cell.qualifier()));
    List<Cell> written = new ArrayList<>();
    writer.readModifyWrite(
        table,
        mutation.row(),
        mutation.durability(),
        (state, read, encoder) -> {
          written.clear();
          Result stored = read.get(get);
          Put put = new Put(mutation.row());
          for (Cell operand : mutation.cells()) {
            int again = indexOf(written, operand);
            Cell old =
                again < 0
                    ? stored.cell(operand.family(), operand.qualifier())
                    : written.remove(again);
            byte[] value =
                old == null ? operand.value() : function.apply(old.value(), operand.value());
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
          encoder.add(state, put);
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

  private static byte[] sum(byte[] stored, byte[] amount) {
    if (stored.length != Long.BYTES) {
      throw new IllegalArgumentException(
          "the column to increment has " + stored.length + " bytes, expected 8 of a number");
    }
    long sum = ByteBuffer.wrap(stored).getLong() + ByteBuffer.wrap(amount).getLong();
    return ByteBuffer.allocate(Long.BYTES).putLong(sum).array();
  }

  private byte[] concatenation(byte[] stored, byte[] suffix) {
    long length = (long) stored.length + suffix.length;
    int lengthMax = writer.valueBytesMax();
    if (length > lengthMax) {
      throw new ValueTooLargeException("the value", length, lengthMax);
    }
    byte[] value = Arrays.copyOf(stored, (int) length);
    System.arraycopy(suffix, 0, value, stored.length, suffix.length);
    return value;
  }
}
