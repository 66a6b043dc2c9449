// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import io.accordiondb.kafka.streams.internal.store.WindowSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.WindowBytesStoreSupplier;
import org.apache.kafka.streams.state.WindowStore;

/** Stands where Kafka's class of this name does, in tests. */
public class RocksDbWindowBytesStoreSupplier implements WindowBytesStoreSupplier {
  public enum WindowStoreTypes {
    DEFAULT_WINDOW_STORE,
    TIMESTAMPED_WINDOW_STORE
  }

  private final WindowSupplier supplier;

  public RocksDbWindowBytesStoreSupplier(
      String name,
      long retentionPeriod,
      long segmentInterval,
      long windowSize,
      boolean retainDuplicates,
      boolean returnTimestampedStore) {
    supplier =
        new WindowSupplier(
            name,
            windowSize,
            retentionPeriod,
            segmentInterval,
            retainDuplicates,
            returnTimestampedStore,
            false);
  }

  public RocksDbWindowBytesStoreSupplier(
      String name,
      long retentionPeriod,
      long segmentInterval,
      long windowSize,
      boolean retainDuplicates,
      WindowStoreTypes type) {
    this(
        name,
        retentionPeriod,
        segmentInterval,
        windowSize,
        retainDuplicates,
        type == WindowStoreTypes.TIMESTAMPED_WINDOW_STORE);
  }

  @Override
  public String name() {
    return supplier.name();
  }

  @Override
  public WindowStore<Bytes, byte[]> get() {
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
  public long windowSize() {
    return supplier.windowSize();
  }

  @Override
  public boolean retainDuplicates() {
    return supplier.retainDuplicates();
  }

  @Override
  public long retentionPeriod() {
    return supplier.retentionPeriod();
  }
}
