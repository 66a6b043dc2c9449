// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import io.accordiondb.kafka.streams.AccordionStores;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** Kafka's own tests of key-value stores. */
public class AccordionKeyValueStoreTest extends AbstractKeyValueStoreTest {
  @Override
  @SuppressWarnings("unchecked")
  protected <K, V> KeyValueStore<K, V> createKeyValueStore(StateStoreContext context) {
    KeyValueStore<K, V> store =
        Stores.keyValueStoreBuilder(
                AccordionStores.keyValueStore("my-store"),
                (Serde<K>) context.keySerde(),
                (Serde<V>) context.valueSerde())
            .build();
    store.init(context, store);
    return store;
  }
}
