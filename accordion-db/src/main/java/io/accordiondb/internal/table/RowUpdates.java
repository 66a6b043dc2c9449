// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.Append;
import io.accordiondb.Cell;
import io.accordiondb.CheckAndMutate;
import io.accordiondb.CheckAndMutateResult;
import io.accordiondb.Get;
import io.accordiondb.Increment;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.Result;
import io.accordiondb.ValueTooLargeException;
import io.accordiondb.encoding.CellType;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Performs atomic changes of one row that depend on its present contents: checks, increments and
 * appends. Thread-safe.
 */
final class RowUpdates {
  private final TableWrites writer;

  RowUpdates(TableWrites writer) {
    this.writer = writer;
  }

  /** Applies mutations of a row; returns the cells that increments and appends have written. */
  Result mutate(String table, byte[] row, List<? extends Mutation> mutations) throws IOException {
    return mutateIf(table, row, read -> true, mutations).result();
  }

  /** Applies the mutations if the conditions hold. */
  CheckAndMutateResult checkAndMutate(String table, CheckAndMutate change) throws IOException {
    return mutateIf(table, change.row(), read -> holds(change, read), change.mutations());
  }

  private static boolean holds(CheckAndMutate change, TableWrites.Reading read) throws IOException {
    return (change.filter() == null || filterKeepsAny(change, read))
        && (change.conditions().isEmpty() || conditionsHold(change, read));
  }

  private static boolean filterKeepsAny(CheckAndMutate change, TableWrites.Reading read)
      throws IOException {
    return !read.get(get(change).setFilter(change.filter())).isEmpty();
  }

  private static boolean conditionsHold(CheckAndMutate change, TableWrites.Reading read)
      throws IOException {
    Get get = get(change);
    change.conditions().forEach(each -> get.addColumn(each.family(), each.qualifier()));
    Result stored = read.get(get);
    return change.conditions().stream()
        .allMatch(each -> each.test(stored.value(each.family(), each.qualifier())));
  }

  private static Get get(CheckAndMutate change) {
    return new Get(change.row()).setTimeRange(change.minTimestamp(), change.maxTimestamp());
  }

  /** Decides whether to write, depending on the stored cells. */
  private interface Check {
    boolean test(TableWrites.Reading read) throws IOException;
  }

  private CheckAndMutateResult mutateIf(
      String table, byte[] row, Check check, List<? extends Mutation> mutations)
      throws IOException {
    List<Cell> updated = new ArrayList<>();
    boolean succeeded =
        writer.readModifyWrite(
            table,
            row,
            Mutations.strongest(writer.options(), mutations),
            MutationEncoder.bytesExpected(mutations),
            (state, read, target) -> {
              updated.clear();
              if (!check.test(read)) {
                return false;
              }
              for (Mutation mutation : mutations) {
                encode(state, mutation, read, target, updated);
              }
              return true;
            });
    return new CheckAndMutateResult(succeeded, new Result(updated));
  }

  /**
   * Encodes one mutation.
   *
   * @param updated the cells that increments and appends have written so far, to which its own are
   *     added
   */
  private void encode(
      TableState table,
      Mutation mutation,
      TableWrites.Reading read,
      TableWrites.Target target,
      List<Cell> updated)
      throws IOException {
    if (mutation instanceof Increment) {
      update(table, mutation, read, target, updated, RowUpdates::sum);
    } else if (mutation instanceof Append) {
      update(table, mutation, read, target, updated, this::concatenation);
    } else {
      Mutations.add(table, mutation, read, target);
    }
  }

  /**
   * Encodes new values of columns.
   *
   * @param function computes a new value from the stored one and the operand; not called if nothing
   *     is stored, because the operand is the value then
   */
  private static void update(
      TableState table,
      Mutation mutation,
      TableWrites.Reading read,
      TableWrites.Target target,
      List<Cell> updated,
      BinaryOperator<byte[]> function)
      throws IOException {
    if (mutation.cells().isEmpty()) {
      throw new IllegalArgumentException(mutation + " has no column; add one with addColumn()");
    }
    Get get = new Get(mutation.row());
    mutation.cells().forEach(cell -> get.addColumn(cell.family(), cell.qualifier()));
    Result stored = read.get(get);
    Put put = new Put(mutation.row()).setTtlMillis(mutation.ttlMillis());
    for (Cell operand : mutation.cells()) {
      int again = indexOf(updated, operand);
      Cell old =
          again < 0 ? stored.cell(operand.family(), operand.qualifier()) : updated.remove(again);
      byte[] value = old == null ? operand.value() : function.apply(old.value(), operand.value());
      // Never below the timestamp of the stored version, which would hide the new one.
      long timestamp = old == null ? read.nowMillis() : Math.max(read.nowMillis(), old.timestamp());
      put.addColumn(operand.family(), operand.qualifier(), read.written(timestamp), value);
      updated.add(
          new Cell(
              mutation.row(),
              operand.family(),
              operand.qualifier(),
              timestamp,
              CellType.PUT,
              value,
              operand.tags()));
    }
    target.add(table, put);
  }

  /** Returns the index at which a column was written already; -1 if it was not. */
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
    int lengthMax = writer.options().valueBytesMax();
    if (length > lengthMax) {
      throw new ValueTooLargeException("the value", length, lengthMax);
    }
    byte[] value = Arrays.copyOf(stored, (int) length);
    System.arraycopy(suffix, 0, value, stored.length, suffix.length);
    return value;
  }
}
