// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.jspecify.annotations.Nullable;

/** The older builders of conditional changes, which {@link CheckAndMutate} has replaced. */
final class TableChecks {
  private TableChecks() {}

  /** Changes a row if a condition holds; returns whether it did. */
  static boolean mutate(RowOperations operations, CheckAndMutate.Builder condition, Row action)
      throws IOException {
    Failures.checkNotInterrupted(operations.name());
    return Batch.checkAndMutate(operations, build(condition, action)).isSuccess();
  }

  /** Returns a conditional change; refuses one of another row as a server would. */
  static CheckAndMutate build(CheckAndMutate.Builder condition, Row action)
      throws DoNotRetryIOException {
    try {
      if (action instanceof Put put) {
        return condition.build(put);
      } else if (action instanceof Delete delete) {
        return condition.build(delete);
      }
      return condition.build((RowMutations) action);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("Action's getRow must match the passed row", e);
    }
  }

  /** What a column must hold; shared by the synchronous and the asynchronous builder. */
  static final class ColumnCondition {
    private final byte[] row;
    private final byte[] family;
    private byte @Nullable [] qualifier;
    private @Nullable TimeRange timeRange;
    private @Nullable CompareOperator operator;
    private byte @Nullable [] value;

    ColumnCondition(byte[] row, byte[] family) {
      this.row = Objects.requireNonNull(row, "row is null");
      this.family = Objects.requireNonNull(family, "family is null");
    }

    void qualifier(byte[] qualifier) {
      this.qualifier =
          Objects.requireNonNull(
              qualifier,
              "qualifier is null. Consider using an empty byte array, or just do not call this"
                  + " method if you want a null qualifier");
    }

    void timeRange(TimeRange timeRange) {
      this.timeRange = timeRange;
    }

    void matches(CompareOperator operator, byte @Nullable [] value) {
      this.operator = Objects.requireNonNull(operator, "operator");
      this.value = value;
    }

    @SuppressWarnings("NullAway") // HBase takes null for no qualifier, value and range.
    CheckAndMutate.Builder builder() {
      if (operator == null) {
        throw new NullPointerException(
            "condition is null. You need to specify the condition by calling"
                + " ifNotExists/ifEquals/ifMatches before executing the request");
      }
      return CheckAndMutate.newBuilder(row)
          .ifMatches(family, qualifier, operator, value)
          .timeRange(timeRange);
    }
  }

  /** A change that depends on a column. */
  static final class OfColumn implements Table.CheckAndMutateBuilder {
    private final RowOperations operations;
    private final ColumnCondition condition;

    OfColumn(RowOperations operations, byte[] row, byte[] family) {
      this.operations = operations;
      this.condition = new ColumnCondition(row, family);
    }

    @Override
    public Table.CheckAndMutateBuilder qualifier(byte[] qualifier) {
      condition.qualifier(qualifier);
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder timeRange(TimeRange timeRange) {
      condition.timeRange(timeRange);
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifNotExists() {
      condition.matches(CompareOperator.EQUAL, null);
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifMatches(CompareOperator operator, byte[] value) {
      condition.matches(operator, Objects.requireNonNull(value, "value is null"));
      return this;
    }

    @Override
    public boolean thenPut(Put put) throws IOException {
      return mutate(operations, condition.builder(), put);
    }

    @Override
    public boolean thenDelete(Delete delete) throws IOException {
      return mutate(operations, condition.builder(), delete);
    }

    @Override
    public boolean thenMutate(RowMutations mutations) throws IOException {
      return mutate(operations, condition.builder(), mutations);
    }
  }

  /** A change that depends on a filter. */
  static final class OfFilter implements Table.CheckAndMutateWithFilterBuilder {
    private final RowOperations operations;
    private final CheckAndMutate.Builder condition;

    OfFilter(RowOperations operations, byte[] row, Filter filter) {
      this.operations = operations;
      this.condition = CheckAndMutate.newBuilder(row).ifMatches(filter);
    }

    @Override
    public Table.CheckAndMutateWithFilterBuilder timeRange(TimeRange timeRange) {
      condition.timeRange(timeRange);
      return this;
    }

    @Override
    public boolean thenPut(Put put) throws IOException {
      return mutate(operations, condition, put);
    }

    @Override
    public boolean thenDelete(Delete delete) throws IOException {
      return mutate(operations, condition, delete);
    }

    @Override
    public boolean thenMutate(RowMutations mutations) throws IOException {
      return mutate(operations, condition, mutations);
    }
  }
}
