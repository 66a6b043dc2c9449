// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Details of results and failures on which HBase's own client tests insist. */
class FailureDetailsTest {
  private EmbeddedConnection connection;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    connection = TestTables.memory();
    table = TestTables.create(connection, TABLE, 1, "f");
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  private static RowMutations ofUnknownFamily() throws IOException {
    return RowMutations.of(List.of(new Put(ROW).addColumn(b("bogus"), Q, b("1"))));
  }

  @Test
  void mutationsOfARowFailLikeABatch() {
    RetriesExhaustedWithDetailsException failure =
        catchThrowableOfType(
            RetriesExhaustedWithDetailsException.class, () -> table.mutateRow(ofUnknownFamily()));
    assertThat(failure.getCause(0)).isInstanceOf(NoSuchColumnFamilyException.class);
    assertThat(failure).hasMessageContaining("NoSuchColumnFamilyException");
    assertThatThrownBy(
            () ->
                table.checkAndMutate(
                    CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(ofUnknownFamily())))
        .isInstanceOf(RetriesExhaustedWithDetailsException.class);
  }

  @Test
  @SuppressWarnings("deprecation")
  void aConditionalPutOrDeleteSaysWhyItHasFailed() {
    Put put = new Put(ROW).addColumn(b("bogus"), Q, b("1"));
    Delete delete = new Delete(ROW).addFamily(b("bogus"));
    byte[] absent = null;
    List<ThrowingCallable> changes =
        List.of(
            () -> table.checkAndPut(ROW, F, Q, absent, put),
            () -> table.checkAndPut(ROW, F, Q, CompareOp.EQUAL, absent, put),
            () -> table.checkAndPut(ROW, F, Q, CompareOperator.EQUAL, absent, put),
            () -> table.checkAndDelete(ROW, F, Q, absent, delete),
            () -> table.checkAndDelete(ROW, F, Q, CompareOp.EQUAL, absent, delete),
            () -> table.checkAndDelete(ROW, F, Q, CompareOperator.EQUAL, absent, delete));
    assertThat(changes)
        .allSatisfy(
            change ->
                assertThatThrownBy(change).isExactlyInstanceOf(NoSuchColumnFamilyException.class));
  }

  @Test
  void mutationsOfARowReturnValuesAndThatTheRowExists() throws IOException {
    Result result =
        table.mutateRow(
            RowMutations.of(
                List.of(
                    new Put(ROW).addColumn(F, b("a"), b("1")),
                    new Increment(ROW).addColumn(F, b("b"), 5),
                    new Append(ROW).addColumn(F, b("c"), b("x")))));
    assertThat(result.getExists()).isTrue();
    assertThat(Bytes.toLong(result.getValue(F, b("b")))).isEqualTo(5);
    assertThat(result.getValue(F, b("c"))).isEqualTo(b("x"));
    Increment silent = new Increment(ROW).addColumn(F, b("b"), 1).setReturnResults(false);
    assertThat(table.mutateRow(RowMutations.of(List.of(silent))).getExists()).isTrue();
  }

  @Test
  void amountsForOneColumnDoNotSeeEachOther() throws IOException {
    Increment twice = new Increment(ROW).addColumn(F, Q, 1).addColumn(F, Q, 1);
    table.increment(twice);
    table.increment(twice);
    assertThat(Bytes.toLong(table.get(new Get(ROW)).getValue(F, Q))).isEqualTo(2);
  }

  @Test
  void anEmptyPutFailsTheBatchBeforeAnythingIsWritten() throws IOException {
    List<Put> puts = List.of(new Put(b("other")).addColumn(F, Q, b("1")), new Put(ROW));
    assertThatThrownBy(() -> table.batch(puts, new Object[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("No columns to insert");
    assertThat(table.exists(new Get(b("other")))).isFalse();
  }

  @Test
  void aBatchNeedsNoArrayForResults() throws Exception {
    table.batch(List.of(new Put(ROW).addColumn(F, Q, b("1"))), null);
    assertThat(table.exists(new Get(ROW))).isTrue();
  }

  @Test
  void anAsynchronousBatchFailsEachActionByItself() throws Exception {
    try (AsyncConnection asynchronous = connection.toAsyncConnection()) {
      AsyncTable<?> asyncTable = asynchronous.getTable(TABLE);
      List<CompletableFuture<Object>> futures =
          asyncTable.batch(
              List.of(
                  new Put(ROW).addColumn(b("bogus"), Q, b("1")),
                  new Put(ROW).addColumn(F, Q, b("1"))));
      ExecutionException failure =
          catchThrowableOfType(ExecutionException.class, () -> futures.get(0).get());
      assertThat(failure.getCause()).isInstanceOf(RetriesExhaustedException.class);
      assertThat(failure.getCause().getCause()).isInstanceOf(NoSuchColumnFamilyException.class);
      futures.get(1).get();
      assertThatThrownBy(() -> asyncTable.mutateRow(RowMutations.of(List.of(new Put(ROW)))))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aFullResultSaysThatAFilterHasLeftOutCells() throws IOException {
    Put put = new Put(ROW);
    for (int i = 0; i < 4; i++) {
      put.addColumn(F, b("q" + i), b("v"));
    }
    table.put(put);
    Scan scan = new Scan().setFilter(new ColumnPaginationFilter(3, 0)).setBatch(2);
    try (ResultScanner scanner = table.getScanner(scan)) {
      assertThat(scanner.next().mayHaveMoreCellsInRow()).isTrue();
      Result last = scanner.next();
      assertThat(last.size()).isOne();
      assertThat(last.mayHaveMoreCellsInRow()).isFalse();
      assertThat(scanner.next()).isNull();
    }
    Scan full = new Scan().setFilter(new ColumnPaginationFilter(2, 0)).setBatch(2);
    try (ResultScanner scanner = table.getScanner(full)) {
      assertThat(scanner.next().mayHaveMoreCellsInRow()).isTrue();
    }
  }

  @Test
  void aTableThatCannotWorkHereIsRefused() throws IOException {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("other"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    try (Admin admin = connection.getAdmin()) {
      assertThatThrownBy(
              () ->
                  admin.createTable(
                      TableDescriptorBuilder.newBuilder(builder.build())
                          .setCoprocessor("org.example.Observer")
                          .build()))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("org.example.Observer");
      assertThatThrownBy(() -> admin.createTable(builder.setRegionReplication(0).build()))
          .isInstanceOf(DoNotRetryIOException.class);
      assertThat(admin.isTableAvailable(TableName.valueOf("other"))).isFalse();
      assertThatThrownBy(() -> admin.mergeRegionsAsync(new byte[0][], false))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTableSaysWhetherItsRegionsMaySplitAndMerge() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      TableName name = TableName.valueOf("other");
      TableDescriptorBuilder builder =
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setSplitEnabled(false)
              .setMergeEnabled(false);
      admin.createTable(builder.build(), new byte[][] {b("m")});
      assertThatThrownBy(() -> admin.split(name, b("t")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("split is disabled for the table");
      byte[][] both =
          admin.getRegions(name).stream().map(RegionInfo::getRegionName).toArray(byte[][]::new);
      assertThatThrownBy(() -> admin.mergeRegionsAsync(both, false))
          .hasMessageContaining("merge is disabled for the table");
      admin.modifyTable(builder.setSplitEnabled(true).build());
      admin.split(name, b("t"));
      assertThat(admin.getRegions(name)).hasSize(3);
    }
  }

  @Test
  void aSnapshotWithoutATypeIsOfAnEnabledTable() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.snapshot("s", TABLE);
      assertThat(admin.listSnapshots().get(0).getType()).isEqualTo(SnapshotType.FLUSH);
    }
  }

  @Test
  void aConnectionInMemoryIsFoundThroughItsConfiguration() throws Exception {
    table.put(new Put(ROW).addColumn(F, Q, b("1")));
    try (Connection other = ConnectionFactory.createConnection(connection.getConfiguration());
        Table same = other.getTable(TABLE)) {
      assertThat(same.exists(new Get(ROW))).isTrue();
    }
    try (AsyncConnection other =
        ConnectionFactory.createAsyncConnection(connection.getConfiguration()).get()) {
      assertThat(other.getTable(TABLE).exists(new Get(ROW)).get()).isTrue();
    }
    connection.close();
    try (Connection later = ConnectionFactory.createConnection(connection.getConfiguration());
        Admin admin = later.getAdmin()) {
      assertThat(admin.tableExists(TABLE)).isFalse();
    }
  }

  @Test
  void aCallbackDoesNotHideWhyABatchHasFailed() throws IOException {
    Table none = connection.getTable(TableName.valueOf("none"));
    assertThatThrownBy(
            () ->
                none.batchCallback(
                    List.of(put("a", "f", "q", 1, "v")), new Object[1], (region, row, any) -> {}))
        .isInstanceOf(RetriesExhaustedWithDetailsException.class);
  }
}
