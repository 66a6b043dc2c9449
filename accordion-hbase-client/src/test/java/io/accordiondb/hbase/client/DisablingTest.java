// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.Q;
import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestThread;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Disabling a table beside its mutations. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DisablingTest {
  private EmbeddedConnection connection;
  private Table table;
  private ExecutorService pool;

  @BeforeEach
  void open() throws IOException {
    connection = TestTables.memory();
    table = TestTables.create(connection, TABLE, 5, "f");
    pool = Executors.newCachedThreadPool();
  }

  @AfterEach
  void close() throws IOException {
    WaitingFilter.released.countDown();
    pool.shutdownNow();
    connection.close();
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(5, TimeUnit.MINUTES);
  }

  /** A filter that waits within a row, and then includes it. */
  public static final class WaitingFilter extends FilterBase {
    static CountDownLatch reached = new CountDownLatch(1);
    static CountDownLatch released = new CountDownLatch(1);

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
      reached.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    /** Called by HBase for a filter that was sent. */
    public static WaitingFilter parseFrom(byte[] bytes) throws DeserializationException {
      return new WaitingFilter();
    }
  }

  @Test
  void aScanThatHasBegunGoesOn() throws IOException {
    table.put(List.of(put("a", "f", "q", 1, "v"), put("b", "f", "q", 1, "v")));
    try (ResultScanner scanner = table.getScanner(F)) {
      scanner.next();
      connection.getAdmin().disableTable(TABLE);
      assertThat(scanner.next().getRow()).isEqualTo(b("b"));
    }
  }

  @Test
  void disablingWaitsForMutationsThatHaveBegun() throws Exception {
    WaitingFilter.reached = new CountDownLatch(1);
    WaitingFilter.released = new CountDownLatch(1);
    table.put(put("row", "f", "q", 1, "old"));
    Admin admin = connection.getAdmin();
    CheckAndMutate change =
        CheckAndMutate.newBuilder(ROW)
            .ifMatches(new WaitingFilter())
            .build(put("row", "f", "q", 2, "new"));
    Future<Boolean> writes = pool.submit(() -> table.checkAndMutate(change).isSuccess());
    WaitingFilter.reached.await();
    TestThread disables =
        TestThread.start(
            "disabling",
            () -> {
              admin.disableTable(TABLE);
              admin.snapshot("s", TABLE);
            });
    disables.awaitBlockedIn("awaitEndOfWrites");
    assertThat(admin.isTableDisabled(TABLE)).isTrue();
    WaitingFilter.released.countDown();
    boolean written = false;
    try {
      written = get(writes);
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(IOException.class);
    }
    disables.join();
    TableName copy = TableName.valueOf("copy");
    admin.cloneSnapshot("s", copy);
    assertThat(connection.getTable(copy).get(new Get(ROW)).getValue(F, Q))
        .isEqualTo(b(written ? "new" : "old"));
  }
}
