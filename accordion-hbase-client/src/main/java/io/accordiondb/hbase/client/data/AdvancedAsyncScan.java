// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.hbase.client.catalog.ClosedConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanController;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanResumer;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * A scan that delivers several results at a time and that the consumer can suspend and terminate.
 * While it is suspended it occupies no thread. One thread at a time runs it; the consumer's calls
 * come one after another.
 */
final class AdvancedAsyncScan {
  /** Results delivered at a time where the scan does not say how many. */
  private static final int RESULTS_MAX = 128;

  private static final Result[] NO_RESULTS = {};

  private final Executor threads;
  private final EmbeddedScanner scanner;
  private final AdvancedScanResultConsumer consumer;
  private final int resultsMax;

  /** Bytes after which no further result is delivered at the same time. */
  private final long bytesMax;

  private AdvancedAsyncScan(
      Executor threads,
      EmbeddedScanner scanner,
      AdvancedScanResultConsumer consumer,
      int resultsMax,
      long bytesMax) {
    this.threads = threads;
    this.scanner = scanner;
    this.consumer = consumer;
    this.resultsMax = resultsMax;
    this.bytesMax = bytesMax;
  }

  /** Starts a scan on the threads of its session. */
  static void start(
      Session session, TableName table, Scan scan, AdvancedScanResultConsumer consumer) {
    try {
      EmbeddedScanner scanner = new EmbeddedScanner(session, table, scan);
      ScanMetrics metrics = scanner.getScanMetrics();
      if (metrics != null) {
        consumer.onScanMetricsCreated(metrics);
      }
      int caching = scan.getCaching() > 0 ? scan.getCaching() : RESULTS_MAX;
      new AdvancedAsyncScan(
              session.threads(),
              scanner,
              consumer,
              Math.min(caching, RESULTS_MAX),
              scanner.resultBytesMax())
          .schedule();
    } catch (IOException e) {
      consumer.onError(e);
    }
  }

  private void schedule() {
    try {
      threads.execute(this::run);
    } catch (RejectedExecutionException e) {
      scanner.close();
      consumer.onError(ClosedConnection.failure(e));
    }
  }

  /** Delivers results until the end, or until the consumer suspends or terminates the scan. */
  private void run() {
    try {
      if (deliver() == Decision.SUSPEND) {
        return;
      }
      scanner.close();
    } catch (IOException | RuntimeException | Error e) {
      // An error of a filter, too, because nothing else ends the scan for the consumer.
      scanner.close();
      consumer.onError(e);
      return;
    }
    // If this fails, the scan is complete nevertheless.
    consumer.onComplete();
  }

  /** Delivers results; returns {@link Decision#TERMINATE} at the end, too. */
  private Decision deliver() throws IOException {
    Decision decision = Decision.GO_ON;
    while (decision == Decision.GO_ON) {
      Result[] results = read();
      if (results.length == 0) {
        return Decision.TERMINATE;
      }
      Controller controller = new Controller();
      consumer.onNext(results, controller);
      decision = controller.leave();
    }
    return decision;
  }

  private Result[] read() throws IOException {
    List<Result> results = new ArrayList<>();
    long bytes = 0;
    while (results.size() < resultsMax && bytes < bytesMax) {
      Result result = scanner.next();
      if (result == null) {
        break;
      }
      results.add(result);
      bytes += Result.getTotalSizeOfCells(result);
    }
    return results.toArray(NO_RESULTS);
  }

  /** What is to be done after a delivery. */
  private enum Decision {
    GO_ON,
    SUSPEND,
    TERMINATE
  }

  /** Takes the consumer's decision during one delivery, by the thread that delivers. */
  private final class Controller implements ScanController {
    private final Thread deliverer = Thread.currentThread();
    private Decision decision = Decision.GO_ON;
    private @Nullable Resumer resumer;
    private boolean left;

    @Override
    public ScanResumer suspend() {
      check();
      decision = Decision.SUSPEND;
      resumer = new Resumer();
      return resumer;
    }

    @Override
    public void terminate() {
      check();
      decision = Decision.TERMINATE;
    }

    /** {@return nothing: there are no heartbeats with a position} */
    @Override
    public Optional<Cursor> cursor() {
      return Optional.empty();
    }

    private void check() {
      if (Thread.currentThread() != deliverer || left) {
        throw new IllegalStateException("call this within onNext, on its thread");
      }
      if (decision != Decision.GO_ON) {
        throw new IllegalStateException("the decision " + decision + " has been made already");
      }
    }

    /** Ends the delivery; returns what is to be done. */
    Decision leave() {
      left = true;
      boolean resumed = resumer != null && !resumer.leave();
      return resumed ? Decision.GO_ON : decision;
    }
  }

  /** Resumes a suspended scan, once, by any thread, at any time. */
  private final class Resumer implements ScanResumer {
    private boolean resumed;
    private boolean left;

    @Override
    public synchronized void resume() {
      if (resumed) {
        return;
      }
      resumed = true;
      if (left) {
        schedule();
      }
    }

    /** Ends the delivery; returns false if the scan was resumed in the meantime. */
    synchronized boolean leave() {
      left = true;
      return !resumed;
    }
  }
}
