// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/** Supplies key-value stores. */
public record KeyValueSupplier(String name, boolean timestamped)
    implements KeyValueBytesStoreSupplier {
  @Override
  public KeyValueStore<Bytes, byte[]> get() {
    return timestamped ? new TimestampedKeyValueBytes(name) : new KeyValueBytes(name, false);
  }

  @Override
  public String metricsScope() {
    return "accordion";
  }
}
