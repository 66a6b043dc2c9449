// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import static io.accordiondb.hbase.client.TestTables.F;
import static io.accordiondb.hbase.client.TestTables.TABLE;
import static io.accordiondb.hbase.client.TestTables.b;
import static io.accordiondb.hbase.client.TestTables.put;
import static io.accordiondb.hbase.client.TestTables.rows;
import static io.accordiondb.hbase.client.TestTables.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of each option of a scan; {@link ScanModelTest} compares with HBase. */
class ScannersTest {
  private Connection connection;
  private Table table;

  /** A filter of a program: it keeps rows with an even number of cells. */
  public static final class EvenFilter extends FilterBase {
    private int cells;

    @Override
    public void reset() {
      cells = 0;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      cells++;
      return ReturnCode.INCLUDE;
    }

    @Override
    public boolean hasFilterRow() {
      return true;
    }

    @Override
    public boolean filterRow() {
      return cells % 2 == 1;
    }

    /** Called by HBase for a filter that was sent. */
    public static EvenFilter parseFrom(byte[] bytes) throws DeserializationException {
      return new EvenFilter();
    }
  }

  /** A filter that a server could not read. */
  static final class UnreadableFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }
  }

  @BeforeEach
  void open() throws IOException {
    connection = TestTables.memory();
    table = TestTables.create(connection, TABLE, 3, "f", "g");
    for (int i = 0; i < 5; i++) {
      for (int q = 0; q <= i; q++) {
        table.put(put("r" + i, "f", "q" + q, 1, "v" + q));
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  @Test
  void boundsDirectionAndLimit() throws IOException {
    assertThat(rows(table, new Scan().withStartRow(b("r1")).withStopRow(b("r3"))))
        .containsExactly("r1", "r2");
    assertThat(rows(table, new Scan().withStartRow(b("r1"), false).withStopRow(b("r3"), true)))
        .containsExactly("r2", "r3");
    assertThat(rows(table, new Scan().setReversed(true).withStartRow(b("r3")).setLimit(2)))
        .containsExactly("r3", "r2");
    assertThat(rows(table, new Scan().setStartStopRowForPrefixScan(b("r2")))).containsExactly("r2");
    assertThat(rows(table, new Scan().withStartRow(b("x")).withStopRow(b("r1")))).isEmpty();
  }

  @Test
  void anInterruptedScanGoesOnWhenItIsAskedAgain() throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      assertThat(scanner.next().getRow()).isEqualTo(b("r0"));
      Thread.currentThread().interrupt();
      assertThatThrownBy(scanner::next).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isFalse();
      assertThat(scanner.next().getRow()).isEqualTo(b("r1"));
    }
  }

  @Test
  void batchesSplitRows() throws IOException {
    List<Boolean> partial = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan().withStartRow(b("r4")).setBatch(2))) {
      for (Result result : scanner) {
        sizes.add(result.size());
        partial.add(result.mayHaveMoreCellsInRow());
      }
    }
    assertThat(sizes).containsExactly(2, 2, 1);
    assertThat(partial).containsExactly(true, true, false);
  }

  @Test
  void partialResultsEndAtTheResultSize() throws IOException {
    Scan scan = new Scan().setAllowPartialResults(true).setMaxResultSize(1);
    assertThat(scan(table, scan)).hasSize(15).allSatisfy(cells -> assertThat(cells).hasSize(1));
    assertThat(scan(table, new Scan().setMaxResultSize(1))).hasSize(5);
  }

  @Test
  void scannerSeesTheMomentOfItsFirstResult() throws IOException {
    try (ResultScanner scanner = table.getScanner(F)) {
      table.put(put("r00", "f", "q", 1, "seen"));
      assertThat(scanner.next().getRow()).isEqualTo(b("r0"));
      table.delete(new Delete(b("r1")));
      table.put(put("r01", "f", "q", 1, "unseen"));
      assertThat(scanner.next().getRow()).isEqualTo(b("r00"));
      assertThat(scanner.next().getRow()).isEqualTo(b("r1"));
      assertThat(scanner.renewLease()).isTrue();
      assertThat(scanner.next(100)).hasSize(3);
      assertThat(scanner.next()).isNull();
      scanner.close();
      assertThat(scanner.renewLease()).isFalse();
    }
  }

  @Test
  void unknownFamilyIsNamedByTheFirstResult() throws IOException {
    try (ResultScanner scanner = table.getScanner(b("none"))) {
      assertThatThrownBy(scanner::next)
          .isInstanceOf(NoSuchColumnFamilyException.class)
          .hasMessageContaining("none");
    }
  }

  @Test
  void filterStartsAfreshForEachScan() throws IOException {
    Scan scan = new Scan().setFilter(new PageFilter(2));
    assertThat(rows(table, scan)).containsExactly("r0", "r1");
    assertThat(rows(table, scan)).containsExactly("r0", "r1");
  }

  @Test
  void filterOfTheProgramWorks() throws IOException {
    assertThat(rows(table, new Scan().setFilter(new EvenFilter()))).containsExactly("r1", "r3");
    assertThatThrownBy(() -> rows(table, new Scan().setFilter(new UnreadableFilter())))
        .rootCause()
        .hasMessageContaining("parseFrom");
  }

  @Test
  void rawScanShowsMarkers() throws IOException {
    table.delete(new Delete(b("r0")).addColumns(F, b("q0"), 1));
    assertThat(rows(table, new Scan().withStopRow(b("r1")))).isEmpty();
    Scan raw = new Scan().withStopRow(b("r1")).setRaw(true).readAllVersions();
    assertThat(scan(table, raw)).containsExactly(List.of("r0/f:q0/1/DeleteColumn", "r0/f:q0/1/v0"));
  }

  @Test
  void metricsCountRows() throws IOException {
    Scan scan =
        new Scan()
            .setScanMetricsEnabled(true)
            .setFilter(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(b("v3"))));
    try (ResultScanner scanner = table.getScanner(scan)) {
      assertThat(scanner.next(10)).hasSize(2);
      ScanMetrics metrics = scanner.getScanMetrics();
      assertThat(
              metrics
                  .getMetricsMap(false)
                  .get(ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME))
          .isEqualTo(5);
      assertThat(
              metrics
                  .getMetricsMap(false)
                  .get(ServerSideScanMetrics.COUNT_OF_ROWS_FILTERED_KEY_METRIC_NAME))
          .isEqualTo(3);
      assertThat(metrics.countOfBytesInResults.get()).isPositive();
    }
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      assertThat(scanner.getScanMetrics()).isNull();
    }
  }
}
