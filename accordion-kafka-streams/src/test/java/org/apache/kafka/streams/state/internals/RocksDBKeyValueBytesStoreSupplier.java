// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import io.accordiondb.kafka.streams.AccordionStores;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/** Stands where Kafka's class of this name does, in tests. */
public class RocksDBKeyValueBytesStoreSupplier implements KeyValueBytesStoreSupplier {
  private final KeyValueBytesStoreSupplier supplier;

  public RocksDBKeyValueBytesStoreSupplier(String name, boolean returnTimestampedStore) {
    supplier =
        returnTimestampedStore
            ? AccordionStores.timestampedKeyValueStore(name)
            : AccordionStores.keyValueStore(name);
  }

  @Override
  public String name() {
    return supplier.name();
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
