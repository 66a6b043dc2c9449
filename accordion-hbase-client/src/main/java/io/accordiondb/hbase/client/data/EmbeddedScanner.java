// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.hbase.client.catalog.CatalogTable;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Returns the results of a scan. As in HBase's client, the scan begins with the first call of
 * {@link #next}, which is also what throws for a table or family that does not exist. From then on
 * it sees the database as of that moment. Not thread-safe.
 *
 * <p>HBase's server closes a scanner that its client has forgotten when its lease ends. Here there
 * is no lease: a scanner may pause for as long as the program refers to it, and is closed when the
 * program no longer does.
 */
final class EmbeddedScanner implements ResultScanner {
  /** Closes the rows of forgotten scanners, which keep memory, files and superseded cells. */
  private static final Cleaner CLEANER = Cleaner.create();

  private final Session session;
  private final TableName name;
  private final Scan scan;

  /** Where the program looks for metrics. */
  private final Scan scanOfProgram;

  private final ScanCounts counts;
  private final ResultSplitter splitter;
  private final Deque<Result> ready = new ArrayDeque<>();

  private final OpenRows open = new OpenRows();

  /** Closes the rows, once. */
  private final Cleaner.Cleanable end;

  private int rowsReturned;

  /** Whether the last row could not be read. */
  private boolean failed;

  private boolean closed;

  /** The rows, once the scan has begun. It must not refer to the scanner. */
  private static final class OpenRows implements Runnable {
    @Nullable ScanRows rows;

    @Override
    public void run() {
      if (rows != null) {
        rows.close();
      }
    }
  }

  /** Creates a scanner; later changes of the scan do not concern it. */
  EmbeddedScanner(Session session, TableName name, Scan scan) throws IOException {
    this.session = session;
    this.name = name;
    this.scanOfProgram = scan;
    this.scan = new Scan(scan);
    ClientSettings settings = session.settings();
    if (this.scan.getCaching() <= 0) {
      this.scan.setCaching(settings.scannerCaching());
    }
    if (this.scan.getMaxResultSize() <= 0) {
      this.scan.setMaxResultSize(settings.scannerResultBytesMax());
    }
    this.counts = new ScanCounts(this.scan, this.scan.getCaching());
    this.splitter = new ResultSplitter(this.scan);
    this.end = CLEANER.register(this, open);
  }

  /** Returns how many bytes HBase would fetch at a time; the configuration may set no limit. */
  long resultBytesMax() {
    return scan.getMaxResultSize() > 0 ? scan.getMaxResultSize() : Long.MAX_VALUE;
  }

  @Override
  public @Nullable Result next() throws IOException {
    if (ready.isEmpty() && !closed) {
      Failures.checkNotInterrupted(name);
      checkNotFailed();
      failed = true;
      try {
        Failures.translated(name, this::read);
        failed = false;
      } finally {
        // The caller may refer to the scanner for the last time.
        Reference.reachabilityFence(this);
      }
    }
    Result result = ready.poll();
    if (result != null) {
      counts.onResult(result);
    } else {
      close();
    }
    return result;
  }

  /** Throws if a row was read that could not be returned: the next one must not take its place. */
  private void checkNotFailed() throws IOException {
    if (failed && open.rows != null) {
      throw new DoNotRetryIOException("the scan of table " + name + " has failed before");
    }
  }

  /** Makes the results of the next row ready, if there is one. */
  private void read() throws IOException {
    if (scan.getLimit() > 0 && rowsReturned >= scan.getLimit()) {
      return;
    }
    ScanRows rows = open.rows;
    if (rows == null) {
      CatalogTable table = session.open(name);
      rows = ScanRows.open(table, session.database(), scan, counts);
      open.rows = rows;
      counts.onOpen(1);
    } else {
      session.checkOpen();
    }
    List<Cell> row = rows.next();
    if (row != null) {
      rowsReturned++;
      splitter.split(row, rows.continues(), ready);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      counts.publish(scanOfProgram);
      end.clean();
    }
  }

  /** {@return whether the scanner is open; there is no lease that could end} */
  @Override
  public boolean renewLease() {
    return !closed && open.rows != null;
  }

  @Override
  public @Nullable ScanMetrics getScanMetrics() {
    return counts.metrics();
  }
}
