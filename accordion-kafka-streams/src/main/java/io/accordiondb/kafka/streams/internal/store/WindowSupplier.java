// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowStore;

/**
 * Supplies window stores.
 *
 * @param windowSize in milliseconds, as the next two are
 * @param emittedOnClose whether Kafka Streams emits windows when they close
 */
public record WindowSupplier(
    String name,
    long windowSize,
    long retentionPeriod,
    long segmentIntervalMs,
    boolean retainDuplicates,
    boolean timestamped,
    boolean emittedOnClose)
    implements WindowBytesStoreSupplier {
  @Override
  public WindowStore<Bytes, byte[]> get() {
    return timestamped ? new TimestampedWindowBytes(this) : new WindowBytes(this);
  }

  @Override
  public String metricsScope() {
    return "accordion-window";
  }
}
