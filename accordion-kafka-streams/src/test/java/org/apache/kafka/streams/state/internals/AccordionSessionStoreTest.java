// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import static java.time.Duration.ofMillis;

import io.accordiondb.kafka.streams.AccordionStores;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/**
 * Kafka's own tests of session stores, which expect of this one what they do of the one that finds
 * sessions by time, too.
 */
public class AccordionSessionStoreTest extends AbstractSessionBytesStoreTest {
  @Override
  StoreType storeType() {
    return StoreType.RocksDBTimeOrderedSessionStoreWithIndex;
  }

  @Test
  @Disabled("Not applicable: it reads and restores a store that was closed")
  @Override
  public void shouldRestore() {}

  @Override
  <K, V> SessionStore<K, V> buildSessionStore(
      long retentionPeriod, Serde<K> keySerde, Serde<V> valueSerde) {
    return Stores.sessionStoreBuilder(
            AccordionStores.sessionStore("rocksDB session store", ofMillis(retentionPeriod)),
            keySerde,
            valueSerde)
        .build();
  }
}
