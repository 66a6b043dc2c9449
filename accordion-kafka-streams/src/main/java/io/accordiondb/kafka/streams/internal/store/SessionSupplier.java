// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionStore;

/**
 * Supplies session stores.
 *
 * @param retentionPeriod in milliseconds, as the next one is
 * @param emittedOnClose whether Kafka Streams emits sessions when they close
 */
public record SessionSupplier(
    String name, long retentionPeriod, long segmentIntervalMs, boolean emittedOnClose)
    implements SessionBytesStoreSupplier {
  @Override
  public SessionStore<Bytes, byte[]> get() {
    return new SessionBytes(this);
  }

  @Override
  public String metricsScope() {
    return "accordion-session";
  }
}
