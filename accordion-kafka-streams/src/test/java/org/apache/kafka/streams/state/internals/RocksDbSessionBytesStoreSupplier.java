// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import io.accordiondb.kafka.streams.AccordionStores;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.SessionBytesStoreSupplier;
import org.apache.kafka.streams.state.SessionStore;

/** Stands where Kafka's class of this name does, in tests. */
public class RocksDbSessionBytesStoreSupplier implements SessionBytesStoreSupplier {
  private final SessionBytesStoreSupplier supplier;

  public RocksDbSessionBytesStoreSupplier(String name, long retentionPeriod) {
    supplier = AccordionStores.sessionStore(name, Duration.ofMillis(retentionPeriod));
  }

  @Override
  public String name() {
    return supplier.name();
  }

  @Override
  public SessionStore<Bytes, byte[]> get() {
    return supplier.get();
  }

  @Override
  public String metricsScope() {
    return supplier.metricsScope();
  }

  @Override
  public long segmentIntervalMs() {
    return supplier.segmentIntervalMs();
  }

  @Override
  public long retentionPeriod() {
    return supplier.retentionPeriod();
  }
}
