// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package org.apache.kafka.streams.state.internals;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** Kafka's tests are about our stores only if its factory makes those. */
class ReplacedStoresTest {
  private static final Duration TIME = Duration.ofMinutes(1);

  @Test
  void persistentStoresAreOurs() {
    assertThat(
            new Object[] {
              Stores.persistentKeyValueStore("store").get(),
              Stores.persistentTimestampedKeyValueStore("store").get(),
              Stores.persistentWindowStore("store", TIME, TIME, true).get(),
              Stores.persistentTimestampedWindowStore("store", TIME, TIME, false).get(),
              Stores.persistentSessionStore("store", TIME).get()
            })
        .allSatisfy(
            store -> assertThat(store.getClass().getName()).startsWith("io.accordiondb.kafka"));
    assertThat(RocksDBVersionedStore.class.getProtectionDomain().getCodeSource())
        .isEqualTo(ReplacedStoresTest.class.getProtectionDomain().getCodeSource());
  }
}
