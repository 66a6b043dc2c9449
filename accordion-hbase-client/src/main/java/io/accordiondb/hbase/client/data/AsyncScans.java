// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;

/**
 * Runs scans that deliver their results to a consumer.
 *
 * @param <C> the kind of consumer
 */
@FunctionalInterface
interface AsyncScans<C extends ScanResultConsumerBase> {
  /** Starts a scan; the consumer hears of its results, its end or its failure. */
  void start(Scan scan, C consumer);
}
