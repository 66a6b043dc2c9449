// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What goes on while connections are closed, and what ends with them. */
@Timeout(100)
class ClosingTest {
  @TempDir Path folder;
  private ExecutorService pool;

  @BeforeEach
  void open() {
    pool = Executors.newCachedThreadPool();
  }

  @AfterEach
  void close() {
    pool.shutdownNow();
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  @Test
  void aDatabaseThatIsClosedIsNotShared() throws IOException {
    Configuration conf = TestTables.configuration();
    StoreLocation place = StoreLocation.inFolder(folder.resolve("store"));
    SharedStore store = SharedStore.open(place, conf);
    store.release();
    assertThatThrownBy(store::share).isInstanceOf(ConnectionClosedException.class);
  }

  @Test
  void anAsynchronousAdministrationEndsWithItsConnection() throws Exception {
    EmbeddedConnection connection = TestTables.memory();
    TestTables.create(connection, TABLE, 1, "f");
    AsyncConnection async = connection.toAsyncConnection();
    AsyncAdmin admin = async.getAdmin(pool);
    AsyncTableRegionLocator locator = async.getRegionLocator(TABLE);
    assertThat(get(admin.tableExists(TABLE))).isTrue();
    assertThat(get(locator.getAllRegionLocations())).hasSize(1);
    async.close();
    assertThatThrownBy(() -> get(admin.tableExists(TABLE))).hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> get(locator.getAllRegionLocations()))
        .hasCauseInstanceOf(IOException.class);
    connection.close();
  }

  @Test
  void methodsOfAnAdministrationThrowWhatTheyDeclareAfterItsConnection() throws Exception {
    EmbeddedConnection connection = TestTables.memory();
    Admin admin = connection.getAdmin();
    int timeout = admin.getOperationTimeout();
    connection.close();
    assertThat(admin.getOperationTimeout()).isEqualTo(timeout);
    for (Method method : Admin.class.getMethods()) {
      Object[] arguments = new Object[method.getParameterCount()];
      if (method.getExceptionTypes().length == 0) {
        assertThatCode(() -> invoke(method, admin, arguments))
            .as(method.toString())
            .satisfiesAnyOf(
                thrown -> assertThat(thrown).isNull(),
                thrown -> assertThat(thrown).isInstanceOf(UnsupportedOperationException.class));
      }
    }
    assertThatThrownBy(() -> admin.tableExists(TABLE))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasCauseInstanceOf(ConnectionClosedException.class);
  }

  private static void invoke(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Test
  void closingEndsWorkWithIOExceptions() throws Exception {
    Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
    for (int round = 0; round < 15; round++) {
      Path store = folder.resolve("store" + round % 3);
      EmbeddedConnection closing = EmbeddedConnection.open(store, TestTables.configuration());
      Table closed =
          closing.getAdmin().tableExists(TABLE)
              ? closing.getTable(TABLE)
              : TestTables.create(closing, TABLE, 3, "f", "g");
      AsyncConnection async = closing.toAsyncConnection();
      CountDownLatch begun = new CountDownLatch(8);
      List<Callable<Object>> kinds =
          List.of(
              () -> {
                closed.put(new Put(ROW).addColumn(F, Q, b("v")));
                return 0;
              },
              () -> closed.get(new Get(ROW)),
              () -> closed.incrementColumnValue(ROW, F, b("n"), 1),
              () ->
                  TestTables.scan(
                      closed,
                      new Scan()
                          .setFilter(
                              new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(Q)))),
              () -> {
                closed.put(List.of(put("x", "f", "q", 1, "v"), put("y", "g", "q", 1, "v")));
                return 0;
              },
              () -> closing.getAdmin().listTableDescriptors(),
              () ->
                  async
                      .getTable(TABLE)
                      .checkAndMutate(
                          CheckAndMutate.newBuilder(ROW)
                              .ifNotExists(F, b("none"))
                              .build(new Put(ROW).addColumn(F, Q, b("w"))))
                      .get(20, TimeUnit.SECONDS),
              () -> async.getAdmin().getRegions(TABLE).get(20, TimeUnit.SECONDS));
      List<Future<?>> works = new ArrayList<>();
      for (Callable<Object> kind : kinds) {
        works.add(
            pool.submit(
                () -> {
                  try {
                    while (true) {
                      kind.call();
                      begun.countDown();
                    }
                  } catch (Throwable e) {
                    boolean wraps =
                        e instanceof ExecutionException || e instanceof UncheckedIOException;
                    Throwable cause = wraps ? e.getCause() : e;
                    if (!(cause instanceof IOException)) {
                      wrong.add(cause);
                    }
                  }
                }));
      }
      begun.await(20, TimeUnit.SECONDS);
      closing.close();
      async.close();
      for (Future<?> work : works) {
        get(work);
      }
    }
    assertThat(wrong).isEmpty();
  }
}
