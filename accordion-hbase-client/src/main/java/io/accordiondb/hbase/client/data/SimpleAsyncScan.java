// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.jspecify.annotations.Nullable;

/**
 * A scan that delivers its results one by one, by one task of the program's executor, until the
 * consumer wants no more.
 */
final class SimpleAsyncScan {
  private SimpleAsyncScan() {}

  /** Runs a scan to its end. */
  static void run(Session session, TableName table, Scan scan, ScanResultConsumer consumer) {
    try (EmbeddedScanner scanner = new EmbeddedScanner(session, table, scan)) {
      ScanMetrics metrics = scanner.getScanMetrics();
      if (metrics != null) {
        consumer.onScanMetricsCreated(metrics);
      }
      Result result = next(scanner);
      while (result != null && consumer.onNext(result)) {
        result = next(scanner);
      }
      consumer.onComplete();
    } catch (IOException e) {
      consumer.onError(e);
    }
  }

  /** Reads a result. Turns every failure into an IOException, so that the consumer receives it. */
  private static @Nullable Result next(EmbeddedScanner scanner) throws IOException {
    try {
      return scanner.next();
    } catch (RuntimeException | Error e) {
      throw new DoNotRetryIOException("a scan has failed: " + e, e);
    }
  }
}
