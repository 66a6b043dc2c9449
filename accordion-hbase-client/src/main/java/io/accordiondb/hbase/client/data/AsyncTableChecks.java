// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/** The asynchronous twins of {@link TableChecks}. */
final class AsyncTableChecks {
  private AsyncTableChecks() {}

  private static CompletableFuture<Boolean> mutate(
      AsyncTable<?> table, CheckAndMutate.Builder condition, Row action) {
    try {
      return table
          .checkAndMutate(TableChecks.build(condition, action))
          .thenApply(CheckAndMutateResult::isSuccess);
    } catch (DoNotRetryIOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A change that depends on a column. */
  static final class OfColumn implements AsyncTable.CheckAndMutateBuilder {
    private final AsyncTable<?> table;
    private final TableChecks.ColumnCondition condition;

    OfColumn(AsyncTable<?> table, byte[] row, byte[] family) {
      this.table = table;
      this.condition = new TableChecks.ColumnCondition(row, family);
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder qualifier(byte[] qualifier) {
      condition.qualifier(qualifier);
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder timeRange(TimeRange timeRange) {
      condition.timeRange(timeRange);
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder ifNotExists() {
      condition.matches(CompareOperator.EQUAL, null);
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder ifMatches(CompareOperator operator, byte[] value) {
      condition.matches(operator, Objects.requireNonNull(value, "value is null"));
      return this;
    }

    @Override
    public CompletableFuture<Boolean> thenPut(Put put) {
      return mutate(table, condition.builder(), put);
    }

    @Override
    public CompletableFuture<Boolean> thenDelete(Delete delete) {
      return mutate(table, condition.builder(), delete);
    }

    @Override
    public CompletableFuture<Boolean> thenMutate(RowMutations mutations) {
      return mutate(table, condition.builder(), mutations);
    }
  }

  /** A change that depends on a filter. */
  static final class OfFilter implements AsyncTable.CheckAndMutateWithFilterBuilder {
    private final AsyncTable<?> table;
    private final CheckAndMutate.Builder condition;

    OfFilter(AsyncTable<?> table, byte[] row, Filter filter) {
      this.table = table;
      this.condition = CheckAndMutate.newBuilder(row).ifMatches(filter);
    }

    @Override
    public AsyncTable.CheckAndMutateWithFilterBuilder timeRange(TimeRange timeRange) {
      condition.timeRange(timeRange);
      return this;
    }

    @Override
    public CompletableFuture<Boolean> thenPut(Put put) {
      return mutate(table, condition, put);
    }

    @Override
    public CompletableFuture<Boolean> thenDelete(Delete delete) {
      return mutate(table, condition, delete);
    }

    @Override
    public CompletableFuture<Boolean> thenMutate(RowMutations mutations) {
      return mutate(table, condition, mutations);
    }
  }
}
