// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.G;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.cells;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations on rows through HBase's table. */
class TableOperationsTest {
  private Connection connection;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    connection = TestTables.memory();
    table = TestTables.create(connection, TABLE, 5, "f", "g");
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  @Test
  void getReturnsVersionsColumnsAndRanges() throws IOException {
    for (int i = 1; i <= 4; i++) {
      table.put(put("row", "f", "q", i, "v" + i));
    }
    table.put(put("row", "g", "r", 2, "w"));
    assertThat(cells(table.get(new Get(ROW)))).containsExactly("row/f:q/4/v4", "row/g:r/2/w");
    assertThat(cells(table.get(new Get(ROW).addColumn(F, Q).readVersions(2))))
        .containsExactly("row/f:q/4/v4", "row/f:q/3/v3");
    assertThat(cells(table.get(new Get(ROW).setTimeRange(1, 3).readAllVersions())))
        .containsExactly("row/f:q/2/v2", "row/f:q/1/v1", "row/g:r/2/w");
    assertThat(
            cells(
                table.get(
                    new Get(ROW).setColumnFamilyTimeRange(F, 1, 2).addFamily(F).addFamily(G))))
        .containsExactly("row/f:q/1/v1", "row/g:r/2/w");
    assertThat(table.get(new Get(b("absent"))).isEmpty()).isTrue();
    assertThat(table.get(new Get(ROW)).rawCells()[0]).isInstanceOf(KeyValue.class);
  }

  @Test
  void existsAnswersForEachGet() throws IOException {
    table.put(put("row", "f", "q", 1, "v"));
    assertThat(table.exists(new Get(ROW))).isTrue();
    assertThat(table.exists(List.of(new Get(ROW), new Get(b("x")), new Get(ROW).addFamily(G))))
        .containsExactly(true, false, false);
    Result result = table.get(new Get(ROW).setCheckExistenceOnly(true));
    assertThat(result.getExists()).isTrue();
    assertThat(result.isEmpty()).isTrue();
  }

  @Test
  void deletesOfEachKind() throws IOException {
    for (int i = 1; i <= 5; i++) {
      table.put(put("row", "f", "q", i, "v" + i));
      table.put(put("row", "f", "r", i, "w" + i));
    }
    Get all = new Get(ROW).readAllVersions();
    table.delete(new Delete(ROW).addColumn(F, Q));
    table.delete(new Delete(ROW).addColumn(F, Q, 2));
    table.delete(new Delete(ROW).addColumns(F, b("r"), 2));
    table.delete(new Delete(ROW).addFamilyVersion(F, 4));
    assertThat(cells(table.get(all)))
        .containsExactly("row/f:q/3/v3", "row/f:q/1/v1", "row/f:r/5/w5", "row/f:r/3/w3");
    table.delete(new Delete(ROW).addFamily(F, 3));
    assertThat(cells(table.get(all))).containsExactly("row/f:r/5/w5");
    table.delete(new Delete(ROW));
    assertThat(table.exists(all)).isFalse();
  }

  @Test
  void deletedListHoldsWhatFailed() throws IOException {
    table.put(put("a", "f", "q", 1, "v"));
    List<Delete> deletes = new ArrayList<>();
    deletes.add(new Delete(b("a")));
    deletes.add(new Delete(b("b")).addFamily(b("none")));
    RetriesExhaustedWithDetailsException failure =
        catchThrowableOfType(
            RetriesExhaustedWithDetailsException.class, () -> table.delete(deletes));
    assertThat(failure.getNumExceptions()).isEqualTo(1);
    assertThat(failure.getCause(0))
        .isInstanceOf(NoSuchColumnFamilyException.class)
        .hasMessageContaining("none");
    assertThat(deletes).hasSize(1);
    assertThat(table.exists(new Get(b("a")))).isFalse();
  }

  @Test
  void batchHasAnOutcomeForEachAction() throws Exception {
    table.put(put("a", "f", "q", 1, "v"));
    List<Row> actions =
        List.of(
            new Get(b("a")),
            put("b", "f", "q", 1, "w"),
            put("c", "none", "q", 1, "w"),
            new Increment(b("n")).addColumn(F, Q, 3),
            new Append(b("a")).addColumn(F, Q, b("x")),
            new Delete(b("absent")),
            RowMutations.of(List.of(put("m", "f", "q", 1, "w"))),
            CheckAndMutate.newBuilder(b("b")).ifNotExists(F, Q).build(put("b", "f", "q", 2, "x")));
    Object[] results = new Object[actions.size()];
    assertThatThrownBy(() -> table.batch(actions, results))
        .isInstanceOf(RetriesExhaustedWithDetailsException.class);
    assertThat(cells((Result) results[0])).containsExactly("a/f:q/1/v");
    assertThat(results[1]).isInstanceOf(Result.class);
    assertThat(results[2]).isInstanceOf(NoSuchColumnFamilyException.class);
    assertThat(Bytes.toLong(((Result) results[3]).getValue(F, Q))).isEqualTo(3);
    assertThat(((Result) results[4]).getValue(F, Q)).isEqualTo(b("vx"));
    assertThat(((Result) results[6]).getExists()).isTrue();
    assertThat(((CheckAndMutateResult) results[7]).isSuccess()).isFalse();
    assertThat(table.exists(new Get(b("m")))).isTrue();

    List<String> called = new ArrayList<>();
    table.<Result>batchCallback(
        List.of(new Get(b("a")), new Get(b("m"))),
        new Object[2],
        (region, row, result) -> called.add(Bytes.toString(row) + result.size()));
    assertThat(called).containsExactly("a1", "m1");

    Object[] used = {Result.EMPTY_RESULT};
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () ->
                table.<Result>batchCallback(
                    List.of(new Get(b("a"))), used, (region, row, result) -> called.add("former")))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(called).doesNotContain("former");
  }

  @Test
  void batchRunsInTheOrderOfARegion() throws Exception {
    Put put = put("row", "f", "q", 1, "v");
    Object[] results = new Object[5];
    table.batch(
        List.of(
            CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(put),
            RowMutations.of(List.of(new Delete(ROW).addColumns(F, Q))),
            put,
            new Get(ROW),
            new Put(b("large")).addColumn(F, Q, new byte[2 << 20])),
        results);
    assertThat(((CheckAndMutateResult) results[0]).isSuccess()).isTrue();
    assertThat(((Result) results[3]).isEmpty()).isTrue();
    table.batch(
        List.of(put("a", "f", "q", 1, "v"), new Append(b("n")).addColumn(F, Q, b("x"))),
        new Object[2]);
    Object[] seen = new Object[4];
    table.batch(
        List.of(
            new Delete(b("a")),
            new Get(b("a")),
            new Append(b("n")).addColumn(F, Q, b("y")),
            new Get(b("a"))),
        seen);
    assertThat(((Result) seen[1]).isEmpty()).isFalse();
    assertThat(((Result) seen[3]).isEmpty()).isTrue();
  }

  @Test
  void putIsValidatedAsByHBasesClient() throws IOException {
    assertThatThrownBy(() -> table.put(new Put(ROW)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("No columns to insert");
    assertThatThrownBy(() -> table.put(put("row", "none", "q", 1, "v")))
        .isInstanceOf(NoSuchColumnFamilyException.class)
        .hasMessageContaining("none")
        .hasMessageContaining("t");
    assertThatThrownBy(() -> table.get(new Get(ROW).addFamily(b("none"))))
        .isInstanceOf(NoSuchColumnFamilyException.class);
    Put large = new Put(ROW).addColumn(F, Q, new byte[11 << 20]);
    assertThatThrownBy(() -> table.put(large))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("KeyValue size too large");
    assertThat(table.exists(new Get(ROW))).isFalse();
  }

  @Test
  void anInterruptedThreadBeginsNoOperation() throws Exception {
    Put put = put("row", "f", "q", 1, "v");
    CheckAndMutate absent = CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(put);
    List<ThrowingCallable> operations =
        List.of(
            () -> table.get(new Get(ROW)),
            () -> table.exists(new Get(ROW)),
            () -> table.put(put),
            () -> table.put(List.of(put)),
            () -> table.delete(new Delete(ROW)),
            () -> table.increment(new Increment(ROW).addColumn(F, Q, 1)),
            () -> table.append(new Append(ROW).addColumn(F, Q, b("x"))),
            () -> table.mutateRow(RowMutations.of(List.of(put))),
            () -> table.checkAndMutate(absent),
            () -> table.checkAndMutate(List.of(absent, absent)),
            () -> table.checkAndMutate(ROW, F).qualifier(Q).ifNotExists().thenPut(put),
            () -> table.checkAndPut(ROW, F, Q, null, put),
            () -> table.batch(List.of(put), new Object[1]),
            () -> table.getScanner(F).next());
    for (ThrowingCallable operation : operations) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(operation).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isFalse();
    }
    assertThat(table.exists(new Get(ROW))).isFalse();
  }

  @Test
  void disabledTableRefuses() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(TABLE);
      assertThatThrownBy(() -> table.put(put("row", "f", "q", 1, "v")))
          .isInstanceOf(TableNotEnabledException.class);
      assertThat(table.getDescriptor().hasColumnFamily(F)).isTrue();
      admin.enableTable(TABLE);
    }
    table.put(put("row", "f", "q", 1, "v"));
  }

  @Test
  void readOnlyTableRefusesWrites() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(table.getDescriptor()).setReadOnly(true).build());
    }
    assertThatThrownBy(() -> table.put(put("row", "f", "q", 1, "v")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("read only");
    assertThatThrownBy(() -> table.incrementColumnValue(ROW, F, Q, 1))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThatThrownBy(
            () -> table.checkAndMutate(ROW, F).ifEquals(b("no")).thenDelete(new Delete(ROW)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("read only");
    assertThat(table.exists(new Get(ROW))).isFalse();
  }

  @Test
  void incrementAndAppendReturnWhatTheyWrote() throws IOException {
    assertThat(table.incrementColumnValue(ROW, F, Q, 5)).isEqualTo(5);
    Result result = table.increment(new Increment(ROW).addColumn(F, Q, -2).addColumn(G, Q, 7));
    assertThat(Bytes.toLong(result.getValue(F, Q))).isEqualTo(3);
    assertThat(Bytes.toLong(result.getValue(G, Q))).isEqualTo(7);
    assertThat(table.increment(new Increment(ROW).addColumn(F, Q, 1).setReturnResults(false)))
        .matches(Result::isEmpty);
    table.append(new Append(b("a")).addColumn(F, Q, b("x")));
    Result appended = table.append(new Append(b("a")).addColumn(F, Q, b("y")));
    assertThat(appended.getValue(F, Q)).isEqualTo(b("xy"));
    assertThat(appended.rawCells()[0].getTimestamp())
        .isEqualTo(table.get(new Get(b("a"))).rawCells()[0].getTimestamp());
    assertThatThrownBy(() -> table.increment(new Increment(b("a")).addColumn(F, Q, 1)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Field is not a long, it's 2 bytes wide");
    assertThatThrownBy(() -> table.append(new Append(ROW)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zero columns");
  }

  @Test
  void incrementCountsWithinItsTimeRange() throws IOException {
    table.put(new Put(ROW).addColumn(F, Q, 10, Bytes.toBytes(100L)));
    Increment later = new Increment(ROW).addColumn(F, Q, 1).setTimeRange(11, Long.MAX_VALUE);
    assertThat(Bytes.toLong(table.increment(later).getValue(F, Q))).isEqualTo(1);
    assertThat(Bytes.toLong(table.increment(later).getValue(F, Q))).isEqualTo(2);
  }

  @Test
  void rowMutationsAreAtomicAndReturnIncrements() throws IOException {
    table.put(put("row", "f", "old", 1, "v"));
    RowMutations mutations = new RowMutations(ROW);
    mutations.add(new Put(ROW).addColumn(F, Q, b("v")));
    mutations.add(new Delete(ROW).addColumns(F, b("old")));
    mutations.add(new Increment(ROW).addColumn(G, Q, 4));
    mutations.add(new Append(ROW).addColumn(G, b("a"), b("x")));
    Result result = table.mutateRow(mutations);
    assertThat(Bytes.toLong(result.getValue(G, Q))).isEqualTo(4);
    assertThat(result.getValue(G, b("a"))).isEqualTo(b("x"));
    assertThat(table.get(new Get(ROW)).size()).isEqualTo(3);
    RowMutations plain = RowMutations.of(List.of(put("row", "f", "q", 2, "w")));
    assertThat(table.mutateRow(plain).getExists()).isTrue();

    RowMutations bad = new RowMutations(ROW);
    bad.add(new Put(ROW).addColumn(F, b("new"), b("v")));
    bad.add(new Increment(ROW).addColumn(G, b("a"), 1));
    assertThat(
            catchThrowableOfType(
                    RetriesExhaustedWithDetailsException.class, () -> table.mutateRow(bad))
                .getCause(0))
        .isInstanceOf(DoNotRetryIOException.class);
    assertThat(table.get(new Get(ROW)).containsColumn(F, b("new"))).isFalse();
  }

  @Test
  void checksCompareTheGivenValueWithTheStored() throws IOException {
    table.put(put("row", "f", "q", 1, "5"));
    assertThat(ifMatches(CompareOperator.EQUAL, "5")).isTrue();
    assertThat(ifMatches(CompareOperator.NOT_EQUAL, "5")).isFalse();
    assertThat(ifMatches(CompareOperator.LESS, "4")).isTrue();
    assertThat(ifMatches(CompareOperator.LESS, "5")).isFalse();
    assertThat(ifMatches(CompareOperator.LESS_OR_EQUAL, "5")).isTrue();
    assertThat(ifMatches(CompareOperator.GREATER, "6")).isTrue();
    assertThat(ifMatches(CompareOperator.GREATER_OR_EQUAL, "4")).isFalse();
    assertThat(table.get(new Get(ROW)).size()).isEqualTo(2);
  }

  private boolean ifMatches(CompareOperator operator, String value) throws IOException {
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(ROW)
                .ifMatches(F, Q, operator, b(value))
                .build(new Put(ROW).addColumn(G, Q, b("w"))))
        .isSuccess();
  }

  @Test
  void checksOfAbsenceFiltersAndRanges() throws IOException {
    CheckAndMutate.Builder absent = CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q);
    assertThat(table.checkAndMutate(absent.build(put("row", "f", "q", 5, "v"))).isSuccess())
        .isTrue();
    assertThat(table.checkAndMutate(absent.build(put("row", "f", "q", 6, "w"))).isSuccess())
        .isFalse();
    CheckAndMutate.Builder filtered =
        CheckAndMutate.newBuilder(ROW)
            .ifMatches(new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, b("v")));
    CheckAndMutateResult counted =
        table.checkAndMutate(filtered.build(new Increment(ROW).addColumn(G, Q, 2)));
    assertThat(counted.isSuccess()).isTrue();
    assertThat(Bytes.toLong(counted.getResult().getValue(G, Q))).isEqualTo(2);
    assertThat(
            table
                .checkAndMutate(
                    CheckAndMutate.newBuilder(ROW)
                        .ifMatches(new PrefixFilter(b("x")))
                        .build(new Delete(ROW)))
                .isSuccess())
        .isFalse();
    assertThat(
            table
                .checkAndMutate(ROW, F)
                .qualifier(Q)
                .timeRange(TimeRange.between(6, 7))
                .ifNotExists()
                .thenDelete(new Delete(ROW).addColumns(G, Q)))
        .isTrue();
    assertThat(table.checkAndPut(ROW, F, Q, b("v"), put("row", "f", "q", 7, "new"))).isTrue();
    assertThat(table.checkAndDelete(ROW, F, Q, b("v"), new Delete(ROW))).isFalse();
    assertThat(cells(table.get(new Get(ROW)))).containsExactly("row/f:q/7/new");
    assertThatThrownBy(
            () -> table.checkAndMutate(ROW, F).ifEquals(b("v")).thenPut(put("x", "f", "q", 1, "")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("getRow must match");
    assertThat(
            table.checkAndMutate(
                List.of(absent.build(new Delete(ROW)), filtered.build(new Delete(ROW)))))
        .extracting(CheckAndMutateResult::isSuccess)
        .containsExactly(false, false);
  }

  @Test
  void cellsExpireByThemselves() throws Exception {
    table.put(put("row", "f", "q", System.currentTimeMillis() - 10_000, "v").setTTL(5_000));
    table.put(put("row", "f", "r", System.currentTimeMillis(), "v").setTTL(100_000));
    assertThat(table.get(new Get(ROW)).size()).isEqualTo(1);
    table.increment(new Increment(b("n")).addColumn(F, Q, 1).setTTL(100_000));
    assertThat(table.exists(new Get(b("n")))).isTrue();
  }

  @Test
  void incrementsOfManyThreadsAddUp() throws Exception {
    int threads = 4;
    int increments = 200;
    ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        boolean appends = i == 0;
        futures.add(
            pool.submit(
                () -> {
                  for (int n = 0; n < increments; n++) {
                    table.incrementColumnValue(ROW, F, Q, 1);
                    if (appends) {
                      table.append(new Append(ROW).addColumn(G, b("a"), b("x")));
                    }
                  }
                  return null;
                }));
      }
      // Plain writes of the same row take no lock and make transactions start again.
      futures.add(
          pool.submit(
              () -> {
                for (int n = 0; n < increments; n++) {
                  table.put(new Put(ROW).addColumn(G, Q, Bytes.toBytes(n)));
                }
                return null;
              }));
      for (Future<?> future : futures) {
        future.get();
      }
    } finally {
      pool.shutdownNow();
    }
    Result result = table.get(new Get(ROW));
    assertThat(Bytes.toLong(result.getValue(F, Q))).isEqualTo((long) threads * increments);
    assertThat(result.getValue(G, b("a"))).hasSize(increments);
    assertThat(Bytes.toInt(result.getValue(G, Q))).isEqualTo(increments - 1);
  }

  @Test
  void coprocessorsAreUnsupportedByName() {
    assertThatThrownBy(() -> table.coprocessorService(ROW))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("coprocessorService");
  }
}
