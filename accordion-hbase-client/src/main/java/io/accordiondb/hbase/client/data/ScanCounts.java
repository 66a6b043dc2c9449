// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.client.metrics.ServerSideScanMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a scan has read, if the program has asked for it, in HBase's own metrics. The counts
 * of calls over the network are those that HBase would need for as many results. Belongs to one
 * scan.
 */
final class ScanCounts {
  private final @Nullable ScanMetrics metrics;
  private final int resultsPerCall;
  private long results;

  /** Creates the counts of a scan. */
  ScanCounts(Scan scan, int resultsPerCall) {
    this.metrics = scan.isScanMetricsEnabled() ? new ScanMetrics() : null;
    this.resultsPerCall = Math.max(1, resultsPerCall);
  }

  /** Returns the metrics; null if the program has not asked for them. */
  @Nullable ScanMetrics metrics() {
    return metrics;
  }

  /** Counts that the scan has begun. */
  void onOpen(int regions) {
    if (metrics != null) {
      metrics.countOfRPCcalls.incrementAndGet();
      metrics.countOfRegions.addAndGet(regions);
    }
  }

  /** Counts a row that was read. */
  void onRow(boolean kept) {
    if (metrics != null) {
      metrics.addToCounter(ServerSideScanMetrics.COUNT_OF_ROWS_SCANNED_KEY_METRIC_NAME, 1);
      if (!kept) {
        metrics.addToCounter(ServerSideScanMetrics.COUNT_OF_ROWS_FILTERED_KEY_METRIC_NAME, 1);
      }
    }
  }

  /** Counts a result that the program gets. */
  void onResult(Result result) {
    if (metrics != null) {
      long bytes = 0;
      for (Cell cell : result.rawCells()) {
        bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      }
      metrics.countOfBytesInResults.addAndGet(bytes);
      results++;
      if (results % resultsPerCall == 0) {
        metrics.countOfRPCcalls.incrementAndGet();
      }
    }
  }

  /** Writes the metrics to where {@link Scan} finds them. */
  void publish(Scan scan) {
    if (metrics != null) {
      scan.setAttribute(
          Scan.SCAN_ATTRIBUTES_METRICS_DATA,
          ProtobufUtil.toScanMetrics(metrics, false).toByteArray());
    }
  }
}
