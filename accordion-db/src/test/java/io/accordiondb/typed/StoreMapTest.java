// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a map promises beyond its model. */
class StoreMapTest {
  private static final int ENTRIES = 20;

  private Database database;
  private KeyValueStore raw;
  private ConcurrentNavigableMap<Integer, Integer> map;

  @BeforeEach
  void open() throws IOException {
    database =
        Database.inMemory(
            DatabaseOptions.builder().memoryBytes(4 << 20).blockCacheBytes(1 << 20).build());
    raw = database.keyValueStore("s");
    map = TypedStore.of(raw, Codecs.INTEGER, Codecs.INTEGER).asMap();
    for (int i = 0; i < ENTRIES; i++) {
      map.put(i, i);
    }
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  @Test
  void functionsMayChangeTheArrayThatTheyReceive() {
    Map<Integer, byte[]> arrays = TypedStore.of(raw, Codecs.INTEGER, Codecs.BYTES).asMap();
    int[] calls = new int[1];
    arrays.compute(
        3,
        (key, value) -> {
          assertThat(++calls[0]).isEqualTo(1);
          value[3]++;
          return value;
        });
    assertThat(map.get(3)).isEqualTo(4);
  }
}
