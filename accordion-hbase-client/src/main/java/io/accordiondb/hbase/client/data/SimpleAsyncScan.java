// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

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
      Result result = scanner.next();
      while (result != null && consumer.onNext(result)) {
        result = scanner.next();
      }
      consumer.onComplete();
    } catch (IOException e) {
      consumer.onError(e);
    }
  }
}
