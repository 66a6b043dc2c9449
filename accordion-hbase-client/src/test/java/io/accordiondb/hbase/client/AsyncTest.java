// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import io.accordiondb.hbase.client.data.EmbeddedAsyncBufferedMutatorBuilder;
import io.accordiondb.hbase.client.data.EmbeddedAsyncTableBuilder;
import io.accordiondb.hbase.client.data.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Asynchronous tables, scans and mutators. */
class AsyncTest {
  private EmbeddedConnection connection;
  private AsyncConnection async;
  private AsyncTable<AdvancedScanResultConsumer> table;
  private ExecutorService pool;

  @BeforeEach
  void open() throws IOException {
    connection = TestTables.memory();
    TestTables.create(connection, TABLE, 1, "f");
    async = connection.toAsyncConnection();
    table = async.getTable(TABLE);
    pool = Executors.newSingleThreadExecutor(work -> new Thread(work, "of-the-program"));
  }

  @AfterEach
  void close() throws IOException {
    pool.shutdownNow();
    async.close();
    connection.close();
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private void putRows(int count) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      puts.add(put("r" + (100 + i), "f", "q", 1, "v"));
    }
    get(table.putAll(puts));
  }

  @Test
  void operationsComplete() throws Exception {
    get(table.put(put("row", "f", "q", 1, "v")));
    assertThat(get(table.get(new Get(ROW))).getValue(F, Q)).isEqualTo(b("v"));
    assertThat(get(table.exists(new Get(b("x"))))).isFalse();
    assertThat(get(table.incrementColumnValue(b("n"), F, Q, 2))).isEqualTo(2);
    assertThat(
            get(
                table
                    .checkAndMutate(ROW, F)
                    .qualifier(Q)
                    .ifEquals(b("v"))
                    .thenPut(put("row", "f", "q", 2, "w"))))
        .isTrue();
    assertThat(
            get(
                table.checkAndMutateAll(
                    List.of(
                        CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(new Delete(ROW)),
                        CheckAndMutate.newBuilder(ROW)
                            .ifEquals(F, Q, b("w"))
                            .build(new Delete(ROW))))))
        .extracting(each -> each.isSuccess())
        .containsExactly(false, true);
    assertThat(get(table.getDescriptor()).getTableName()).isEqualTo(TABLE);
  }

  @Test
  void changesWithoutColumnsAreRefusedAtOnce() {
    assertThatThrownBy(() -> table.increment(new Increment(ROW)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zero columns");
    assertThatThrownBy(() -> table.append(new Append(ROW)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zero columns");
  }

  @Test
  void eachActionOfABatchHasItsOwnFailure() throws Exception {
    List<CompletableFuture<Void>> futures =
        table.put(List.of(put("a", "f", "q", 1, "v"), put("b", "none", "q", 1, "v")));
    get(futures.get(0));
    assertThatThrownBy(() -> get(futures.get(1)))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(NoSuchColumnFamilyException.class);
    assertThat(get(table.exists(new Get(b("a"))))).isTrue();
  }

  @Test
  void executorOfTheProgramCompletesFutures() throws Exception {
    AsyncTable<ScanResultConsumer> own = async.getTable(TABLE, pool);
    CompletableFuture<String> thread = new CompletableFuture<>();
    own.put(put("row", "f", "q", 1, "v"))
        .whenComplete((done, failure) -> thread.complete(Thread.currentThread().getName()));
    assertThat(get(thread)).isIn("of-the-program", Thread.currentThread().getName());
    assertThat(get(own.scanAll(new Scan()))).hasSize(1);
  }

  /** Collects rows, suspends after the first delivery and ends after a given number. */
  private static final class Collector implements AdvancedScanResultConsumer {
    final CompletableFuture<List<String>> done = new CompletableFuture<>();
    final SynchronousQueue<ScanResumer> suspended = new SynchronousQueue<>();
    private final List<String> rows = new ArrayList<>();
    private final int rowsMax;
    private final boolean suspends;

    Collector(int rowsMax, boolean suspends) {
      this.rowsMax = rowsMax;
      this.suspends = suspends;
    }

    @Override
    public void onNext(Result[] results, ScanController controller) {
      for (Result result : results) {
        rows.add(Bytes.toString(result.getRow()));
      }
      if (rows.size() >= rowsMax) {
        controller.terminate();
      } else if (suspends) {
        ScanResumer resumer = controller.suspend();
        new Thread(
                () -> {
                  try {
                    suspended.put(resumer);
                  } catch (InterruptedException e) {
                    done.completeExceptionally(e);
                  }
                })
            .start();
      }
    }

    @Override
    public void onError(Throwable failure) {
      done.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      done.complete(rows);
    }
  }

  /** Whoever switches splits off wants none, whichever threads do the work. */
  @Test
  void administrationsOfOneConnectionShareAllButTheirThreads() throws Exception {
    AsyncAdmin admin = async.getAdmin();
    AsyncAdmin other = async.getAdmin(pool);
    get(other.splitSwitch(false));
    assertThat(get(admin.isSplitEnabled())).isFalse();
    assertThat(get(other.isSplitEnabled())).isFalse();
    assertThat(get(async.getAdmin(pool).isSplitEnabled())).isFalse();
    assertThat(get(other.getRegionServers())).isEqualTo(get(admin.getRegionServers()));
  }

  @Test
  void scanIsSuspendedAndResumed() throws Exception {
    putRows(5);
    Collector collector = new Collector(Integer.MAX_VALUE, true);
    table.scan(new Scan().setCaching(2), collector);
    for (int i = 0; i < 3; i++) {
      AdvancedScanResultConsumer.ScanResumer resumer =
          collector.suspended.poll(20, TimeUnit.SECONDS);
      assertThat(collector.done).isNotDone();
      resumer.resume();
      resumer.resume();
    }
    assertThat(get(collector.done)).containsExactly("r100", "r101", "r102", "r103", "r104");
  }

  /** As HBase fetches no more at a time, and the consumer cannot suspend before. */
  @Test
  void deliveriesEndAtTheResultSize() throws Exception {
    putRows(5);
    Collector collector = new Collector(1, false);
    table.scan(new Scan().setMaxResultSize(1), collector);
    assertThat(get(collector.done)).containsExactly("r100");
  }

  @Test
  void aResultSizeBelowOneIsNoLimit() throws Exception {
    Configuration conf = TestTables.configuration();
    conf.setLong(HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY, -1);
    try (EmbeddedConnection unlimited = EmbeddedConnection.inMemory(conf);
        AsyncConnection other = unlimited.toAsyncConnection()) {
      TestTables.create(unlimited, TABLE, 1, "f");
      get(other.getTable(TABLE).put(put("row", "f", "q", 1, "v")));
      Collector collector = new Collector(Integer.MAX_VALUE, false);
      other.getTable(TABLE).scan(new Scan(), collector);
      assertThat(get(collector.done)).containsExactly("row");
    }
  }

  @Test
  void scanIsTerminated() throws Exception {
    putRows(5);
    Collector collector = new Collector(2, false);
    table.scan(new Scan().setCaching(1), collector);
    assertThat(get(collector.done)).containsExactly("r100", "r101");
    Collector failing = new Collector(2, false);
    table.scan(new Scan().addFamily(b("none")), failing);
    assertThatThrownBy(() -> get(failing.done))
        .hasCauseInstanceOf(NoSuchColumnFamilyException.class);
  }

  /** The scan has not failed, so the consumer must not be told so. */
  @Test
  void aConsumerThatFailsWhenTheScanIsCompleteGetsNoError() throws Exception {
    CompletableFuture<String> last = new CompletableFuture<>();
    table.scan(
        new Scan(),
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] results, ScanController controller) {}

          @Override
          public void onError(Throwable failure) {
            last.complete("onError");
          }

          @Override
          public void onComplete() {
            Thread.currentThread()
                .setUncaughtExceptionHandler((thread, thrown) -> last.complete("thrown"));
            throw new IllegalStateException("failed on demand");
          }
        });
    assertThat(get(last)).isEqualTo("thrown");
  }

  @Test
  void simpleConsumerStopsTheScan() throws Exception {
    putRows(5);
    List<String> rows = new ArrayList<>();
    CompletableFuture<List<String>> done = new CompletableFuture<>();
    async
        .getTable(TABLE, pool)
        .scan(
            new Scan(),
            new ScanResultConsumer() {
              @Override
              public boolean onNext(Result result) {
                rows.add(Bytes.toString(result.getRow()));
                return rows.size() < 3;
              }

              @Override
              public void onError(Throwable failure) {
                done.completeExceptionally(failure);
              }

              @Override
              public void onComplete() {
                done.complete(rows);
              }
            });
    assertThat(get(done)).containsExactly("r100", "r101", "r102");
  }

  @Test
  void mutatorHandsOverWhenFlushedFullOrOld() throws Exception {
    try (AsyncBufferedMutator mutator = async.getBufferedMutator(TABLE)) {
      CompletableFuture<Void> waiting = mutator.mutate(put("a", "f", "q", 1, "v"));
      assertThat(get(table.exists(new Get(b("a"))))).isFalse();
      mutator.flush();
      get(waiting);
    }
    AsyncBufferedMutator timed =
        async
            .getBufferedMutatorBuilder(TABLE)
            .setWriteBufferPeriodicFlush(20, TimeUnit.MILLISECONDS)
            .build();
    get(timed.mutate(put("b", "f", "q", 1, "v")));
    timed.close();
    assertThatThrownBy(() -> get(timed.mutate(put("c", "f", "q", 1, "v"))))
        .hasMessageContaining("closed");
    assertThat(get(table.existsAll(List.of(new Get(b("a")), new Get(b("b"))))))
        .containsExactly(true, true);
  }

  @Test
  void mutationsFailIfThereIsNoThreadToWriteThem() throws Exception {
    ExecutorService threadless =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              throw new OutOfMemoryError("injected");
            });
    try (Database database = Database.inMemory()) {
      Session session = TestTables.session(database, threadless);
      AsyncBufferedMutator mutator =
          new EmbeddedAsyncBufferedMutatorBuilder(
                  session,
                  EmbeddedAsyncTableBuilder.advanced(
                      session,
                      TABLE,
                      name -> {
                        throw new UnsupportedOperationException("nobody asks for regions");
                      }))
              .build();
      CompletableFuture<Void> collected = mutator.mutate(put("a", "f", "q", 1, "v"));
      assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(mutator::flush);
      assertThatThrownBy(() -> get(collected))
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseInstanceOf(OutOfMemoryError.class);
      mutator.close();
    } finally {
      threadless.shutdown();
    }
  }

  @Test
  void aMutatorHasALimitOfItsOwn() throws Exception {
    Configuration conf = TestTables.configuration();
    conf.set("hbase.client.keyvalue.maxsize", "200");
    try (EmbeddedConnection strict = EmbeddedConnection.inMemory(conf);
        Table small = TestTables.create(strict, TABLE, 1, "f");
        AsyncConnection other = strict.toAsyncConnection();
        AsyncBufferedMutator mutator =
            other.getBufferedMutatorBuilder(TABLE).setMaxKeyValueSize(5000).build()) {
      Put large = new Put(ROW).addColumn(F, Q, new byte[1000]);
      List<CompletableFuture<Void>> futures =
          mutator.mutate(List.of(put("a", "f", "q", 1, "v"), large));
      mutator.flush();
      get(futures.get(0));
      get(futures.get(1));
      assertThat(small.exists(new Get(ROW))).isTrue();
    }
  }
}
