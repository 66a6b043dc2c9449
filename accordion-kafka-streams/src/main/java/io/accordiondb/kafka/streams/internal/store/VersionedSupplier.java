// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.VersionedBytesStoreSupplier;
import org.apache.kafka.streams.state.internals.VersionedKeyValueToBytesStoreAdapter;

/**
 * Supplies versioned stores.
 *
 * @param historyRetentionMs in milliseconds, as the next one is
 */
public record VersionedSupplier(String name, long historyRetentionMs, long segmentIntervalMs)
    implements VersionedBytesStoreSupplier {
  @Override
  public KeyValueStore<Bytes, byte[]> get() {
    return new VersionedKeyValueToBytesStoreAdapter(
        new VersionedBytes(name, historyRetentionMs, segmentIntervalMs));
  }

  @Override
  public String metricsScope() {
    return "accordion";
  }
}
