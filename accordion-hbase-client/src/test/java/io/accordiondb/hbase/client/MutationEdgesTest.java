// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.cells;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mutations at the edges: clocks that go back, and times to live that have passed at once. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MutationEdgesTest {
  private static final int PUTS_MAX = 100;

  private Connection connection;
  private Table table;

  @BeforeEach
  void open() throws IOException {
    connection = TestTables.memory();
    table = TestTables.create(connection, TABLE, 5, "f", "g");
  }

  @AfterEach
  void close() throws IOException {
    EnvironmentEdgeManager.reset();
    connection.close();
  }

  /** Sets the clock back, which the database does not follow. */
  private static void setClockBack() {
    long past = System.currentTimeMillis() - 60_000;
    EnvironmentEdgeManager.injectEdge(() -> past);
  }

  private byte[] value() throws IOException {
    return table.get(new Get(ROW)).getValue(F, Q);
  }

  @Test
  void mutationsOfARowAreSeenAfterTheClockWentBack() throws IOException {
    table.put(new Put(ROW).addColumn(F, Q, b("1")));
    setClockBack();
    table.mutateRow(RowMutations.of(List.of(new Put(ROW).addColumn(F, Q, b("2")))));
    assertThat(value()).isEqualTo(b("2"));
    table.mutateRow(
        RowMutations.of(
            List.of(
                new Put(ROW).addColumn(F, Q, b("3")), new Increment(ROW).addColumn(F, b("n"), 1))));
    assertThat(value()).isEqualTo(b("3"));
  }

  @Test
  void conditionalMutationsAreSeenAfterTheClockWentBack() throws IOException {
    table.put(new Put(ROW).addColumn(F, Q, b("1")));
    setClockBack();
    CheckAndMutate.Builder other = CheckAndMutate.newBuilder(ROW).ifNotExists(F, b("other"));
    assertThat(table.checkAndMutate(other.build(new Put(ROW).addColumn(F, Q, b("2")))).isSuccess())
        .isTrue();
    assertThat(value()).isEqualTo(b("2"));
    RowMutations replaced =
        RowMutations.of(
            List.of(
                new Delete(ROW).addColumns(F, Q),
                new Put(ROW).addColumn(F, Q, b("3")),
                new Append(ROW).addColumn(F, Q, b("4"))));
    table.checkAndMutate(other.build(replaced));
    assertThat(value()).isEqualTo(b("34"));
  }

  @Test
  void aPutAndAnIncrementOfItsColumnAreSeenAfterTheClockWentBack() throws IOException {
    table.put(new Put(ROW).addColumn(F, Q, Bytes.toBytes(5L)));
    setClockBack();
    table.mutateRow(
        RowMutations.of(
            List.of(
                new Put(ROW).addColumn(F, Q, Bytes.toBytes(0L)),
                new Increment(ROW).addColumn(F, Q, 1))));
    assertThat(value()).isEqualTo(Bytes.toBytes(1L));
  }

  /** Each time that it has read the row and looks at the clock, another thread writes the row. */
  @Test
  void anIncrementEndsThoughPutsOvertakeItAgainAndAgain() throws Exception {
    Thread incrementing = Thread.currentThread();
    AtomicInteger puts = new AtomicInteger();
    AtomicReference<TestThread> waiting = new AtomicReference<>();
    EnvironmentEdgeManager.injectEdge(
        () -> {
          if (waiting.get() == null
              && puts.get() < PUTS_MAX
              && Thread.currentThread() == incrementing) {
            TestThread put = TestThread.start("overtaking", this::putOther);
            if (put.endsBeforeItIsBlockedIn("awaitTurns")) {
              puts.incrementAndGet();
            } else {
              waiting.set(put);
            }
          }
          return System.currentTimeMillis();
        });
    assertThat(table.incrementColumnValue(ROW, F, Q, 1)).isEqualTo(1);
    assertThat(puts).hasValueBetween(1, PUTS_MAX - 1);
    waiting.get().join();
    assertThat(table.get(new Get(ROW)).getValue(F, b("other"))).isEqualTo(b("v"));
  }

  private void putOther() throws IOException {
    table.put(new Put(ROW).addColumn(F, b("other"), b("v")));
  }

  @Test
  void whatWasLookedAtDoesNotDateThePutBelowItsColumn() throws IOException {
    table.put(new Put(ROW).addColumn(F, b("state"), b("1")));
    long later = System.currentTimeMillis() + 10_000;
    EnvironmentEdgeManager.injectEdge(() -> later);
    table.put(new Put(ROW).addColumn(F, Q, b("1")));
    setClockBack();
    CheckAndMutate.Builder ifFirst = CheckAndMutate.newBuilder(ROW).ifEquals(F, b("state"), b("1"));
    Put second = new Put(ROW).addColumn(F, Q, b("2")).addColumn(F, b("new"), b("2"));
    assertThat(table.checkAndMutate(ifFirst.build(second)).isSuccess()).isTrue();
    assertThat(value()).isEqualTo(b("2"));
    assertThat(table.get(new Get(ROW)).getValue(F, b("new"))).isEqualTo(b("2"));
  }

  @Test
  void whatWasLookedAtDoesNotHideThePut() throws IOException {
    long future = System.currentTimeMillis() + 3_600_000;
    table.put(put("row", "f", "q", future, "1"));
    table.checkAndMutate(
        CheckAndMutate.newBuilder(ROW)
            .ifEquals(F, Q, b("1"))
            .build(new Put(ROW).addColumn(F, Q, b("2"))));
    assertThat(cells(table.get(new Get(ROW)))).containsExactly("row/f:q/" + future + "/2");
  }

  @Test
  void manyUpdatesInAMillisecondDoNotHideWhatFollows() throws IOException {
    for (int i = 0; i < 50; i++) {
      byte[] row = b("row" + i);
      for (int update = 0; update < 5; update++) {
        table.increment(new Increment(row).addColumn(F, Q, 1));
        table.append(new Append(row).addColumn(F, b("a"), b("x")));
      }
      table.put(new Put(row).addColumn(F, Q, b("put")));
      table.delete(new Delete(row).addColumns(F, b("a")));
      assertThat(table.get(new Get(row)).getValue(F, Q)).isEqualTo(b("put"));
      assertThat(table.exists(new Get(row).addColumn(F, b("a")))).isFalse();
    }
  }

  @Test
  void anUpdateOfACellThatIsAheadIsSeen() throws IOException {
    long last = Long.MAX_VALUE - 1;
    table.put(new Put(ROW).addColumn(F, Q, last, Bytes.toBytes(1L)));
    assertThat(table.incrementColumnValue(ROW, F, Q, 1)).isEqualTo(2);
    assertThat(table.incrementColumnValue(ROW, F, Q, 1)).isEqualTo(3);
    assertThat(table.get(new Get(ROW)).rawCells()[0].getTimestamp()).isEqualTo(last);
  }

  @Test
  void aConditionIsAboutAllFamilies() throws IOException {
    table.put(put("row", "g", "q", 1, "v"));
    SingleColumnValueFilter onF = new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, b("v"));
    onF.setFilterIfMissing(true);
    CheckAndMutate.Builder condition =
        CheckAndMutate.newBuilder(ROW).ifMatches(new SkipFilter(onF));
    assertThat(table.checkAndMutate(condition.build(new Delete(ROW))).isSuccess()).isTrue();
  }

  @Test
  void aTimeToLiveOfNothingEndsAtOnce() throws IOException {
    table.put(new Put(ROW).addColumn(F, Q, b("1")).setTTL(0));
    table.put(new Put(ROW).addColumn(F, b("r"), b("1")).setTTL(-5));
    table.increment(new Increment(ROW).addColumn(F, b("n"), 7).setTTL(0));
    while (!table.get(new Get(ROW)).isEmpty()) {
      // They end with their millisecond.
      Thread.onSpinWait();
    }
    assertThat(table.incrementColumnValue(ROW, F, b("n"), 1)).isEqualTo(1);
  }

  @Test
  void aDeleteOfTheLatestVersionSeesThePutBeforeIt() throws IOException {
    table.put(put("row", "f", "q", 1, "1"));
    table.mutateRow(
        RowMutations.of(
            List.of(new Put(ROW).addColumn(F, Q, b("2")), new Delete(ROW).addColumn(F, Q))));
    assertThat(value()).isEqualTo(b("1"));
  }
}
