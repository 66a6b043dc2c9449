// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.ROW;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Filters of the program that fail. */
class FailingFilterTest {
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
    pool.shutdownNow();
    connection.close();
  }

  /** A filter that fails. */
  public static final class FailingFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      throw new IllegalStateException("failed on demand");
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    /** Called by HBase for a filter that was sent. */
    public static FailingFilter parseFrom(byte[] bytes) throws DeserializationException {
      return new FailingFilter();
    }
  }

  /** A filter of which a class is missing, for example. */
  public static final class BrokenFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      throw new NoClassDefFoundError("failed on demand");
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    /** Called by HBase for a filter that was sent. */
    public static BrokenFilter parseFrom(byte[] bytes) throws DeserializationException {
      return new BrokenFilter();
    }
  }

  /** A filter that fails at the second cell that any of its kind is given. */
  public static final class FailingOnceFilter extends FilterBase {
    private static final AtomicInteger CELLS = new AtomicInteger();

    @Override
    public ReturnCode filterCell(Cell cell) {
      if (CELLS.incrementAndGet() == 2) {
        throw new IllegalStateException("failed on demand");
      }
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    /** Called by HBase for a filter that was sent. */
    public static FailingOnceFilter parseFrom(byte[] bytes) throws DeserializationException {
      return new FailingOnceFilter();
    }
  }

  @Test
  void aFilterThatFailsEndsAnAsynchronousScan() throws Exception {
    assertThat(endOfAsynchronousScan(new FailingFilter())).isEqualTo("failed");
  }

  @Test
  void aFilterWithAnErrorEndsAnAsynchronousScan() throws Exception {
    assertThat(endOfAsynchronousScan(new BrokenFilter())).isEqualTo("failed");
    CompletableFuture<String> end = new CompletableFuture<>();
    try (AsyncConnection async = connection.toAsyncConnection()) {
      async
          .getTable(TABLE)
          .scan(
              new Scan().setFilter(new BrokenFilter()),
              new AdvancedScanResultConsumer() {
                @Override
                public void onNext(Result[] results, ScanController controller) {}

                @Override
                public void onError(Throwable failure) {
                  end.complete("failed");
                }

                @Override
                public void onComplete() {
                  end.complete("complete");
                }
              });
      assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo("failed");
    }
  }

  private String endOfAsynchronousScan(Filter filter) throws Exception {
    table.put(put("row", "f", "q", 1, "v"));
    CompletableFuture<String> end = new CompletableFuture<>();
    try (AsyncConnection async = connection.toAsyncConnection()) {
      async
          .getTable(TABLE, pool)
          .scan(
              new Scan().setFilter(filter),
              new ScanResultConsumer() {
                @Override
                public boolean onNext(Result result) {
                  return true;
                }

                @Override
                public void onError(Throwable failure) {
                  end.complete("failed");
                }

                @Override
                public void onComplete() {
                  end.complete("complete");
                }
              });
      return end.get(20, TimeUnit.SECONDS);
    }
  }

  /** Otherwise the program would take the row behind for the one that could not be read. */
  @Test
  void aScanThatHasFailedPassesOverNoRow() throws IOException {
    for (String row : List.of("a", "b", "c")) {
      table.put(put(row, "f", "q", 1, "v"));
    }
    FailingOnceFilter.CELLS.set(0);
    try (ResultScanner scanner = table.getScanner(new Scan().setFilter(new FailingOnceFilter()))) {
      assertThat(Bytes.toString(scanner.next().getRow())).isEqualTo("a");
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(scanner::next).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aFilterThatFailsIsAnIOException() throws IOException {
    table.put(put("row", "f", "q", 1, "v"));
    assertThatThrownBy(() -> table.get(new Get(ROW).setFilter(new FailingFilter())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("failed on demand");
    try (ResultScanner scanner = table.getScanner(new Scan().setFilter(new FailingFilter()))) {
      assertThatThrownBy(scanner::next).isInstanceOf(IOException.class);
    }
    CheckAndMutate change =
        CheckAndMutate.newBuilder(ROW).ifMatches(new FailingFilter()).build(new Delete(ROW));
    assertThatThrownBy(() -> table.checkAndMutate(change)).isInstanceOf(IOException.class);
    assertThat(table.exists(new Get(ROW))).isTrue();
  }
}
