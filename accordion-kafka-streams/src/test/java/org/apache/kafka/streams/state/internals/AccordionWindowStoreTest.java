// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import static java.time.Duration.ofMillis;

import io.accordiondb.kafka.streams.AccordionStores;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;

/** Kafka's own tests of window stores. */
public class AccordionWindowStoreTest extends AbstractWindowBytesStoreTest {
  @Override
  <K, V> WindowStore<K, V> buildWindowStore(
      long retentionPeriod,
      long windowSize,
      boolean retainDuplicates,
      Serde<K> keySerde,
      Serde<V> valueSerde) {
    return Stores.windowStoreBuilder(
            AccordionStores.windowStore(
                "window-store", ofMillis(retentionPeriod), ofMillis(windowSize), retainDuplicates),
            keySerde,
            valueSerde)
        .build();
  }
}
