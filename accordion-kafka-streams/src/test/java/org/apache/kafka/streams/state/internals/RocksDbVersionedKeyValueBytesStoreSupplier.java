// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import io.accordiondb.kafka.streams.AccordionStores;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.VersionedBytesStoreSupplier;

/** Stands where Kafka's class of this name does, in tests. */
public class RocksDbVersionedKeyValueBytesStoreSupplier implements VersionedBytesStoreSupplier {
  private final VersionedBytesStoreSupplier supplier;

  public RocksDbVersionedKeyValueBytesStoreSupplier(String name, long historyRetentionMs) {
    supplier = AccordionStores.versionedKeyValueStore(name, Duration.ofMillis(historyRetentionMs));
  }

  public RocksDbVersionedKeyValueBytesStoreSupplier(
      String name, long historyRetentionMs, long segmentIntervalMs) {
    supplier =
        AccordionStores.versionedKeyValueStore(
            name, Duration.ofMillis(historyRetentionMs), Duration.ofMillis(segmentIntervalMs));
  }

  @Override
  public String name() {
    return supplier.name();
  }

  @Override
  public long historyRetentionMs() {
    return supplier.historyRetentionMs();
  }

  @Override
  public KeyValueStore<Bytes, byte[]> get() {
    return supplier.get();
  }

  @Override
  public String metricsScope() {
    return supplier.metricsScope();
  }
}
