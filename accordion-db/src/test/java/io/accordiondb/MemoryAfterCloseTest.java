// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.fixtures.TestMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A database that is closed has no direct memory, although an application keeps its tables. */
class MemoryAfterCloseTest {
  private static final int DATABASES = 4;
  private static final int ROWS = 30_000;
  private static final long REST_BYTES_MAX = 4 << 20;

  /** Returns a store of a database with full caches and memory, which it has closed. */
  private static KeyValueStore closedStore() throws IOException {
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(16 << 20).blockCacheBytes(16 << 20).build();
    try (Database database = Database.inMemory(options)) {
      KeyValueStore store = database.keyValueStore("s");
      byte[] value = new byte[500];
      for (int i = 0; i < ROWS; i++) {
        store.put(bytes("key " + i), value);
      }
      database.flush();
      for (int i = 0; i < 2 * ROWS; i++) {
        assertThat(store.get(bytes("key " + i % ROWS))).isNotNull();
      }
      return store;
    }
  }

  @Test
  void anApplicationMayKeepAStoreOfAClosedDatabase() throws Exception {
    long before = usedBytes(Long.MAX_VALUE);
    List<KeyValueStore> kept = new ArrayList<>();
    for (int i = 0; i < DATABASES; i++) {
      kept.add(closedStore());
    }
    long usedMax = before + REST_BYTES_MAX;
    assertThat(usedBytes(usedMax)).isLessThanOrEqualTo(usedMax);
    assertThat(kept).extracting(KeyValueStore::name).containsOnly("s");
  }

  /** Returns the direct memory in use once that falls no more and is no more than expected. */
  private static long usedBytes(long expectedMax) throws InterruptedException {
    long used = Long.MAX_VALUE;
    long last;
    // Not for a time: a busy machine collects less in it.
    int collections = 0;
    do {
      last = used;
      System.gc();
      Thread.sleep(100);
      used = TestMemory.directBytes();
      collections++;
    } while (collections < collectionsMax() && (used < last || used > expectedMax));
    return used;
  }

  /** A method, so that it can be lowered where the memory is kept on purpose. */
  private static int collectionsMax() {
    return 40;
  }
}
