// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gets of one column, over and over, so that the column cache answers too, against the list of what
 * was written, while files come and go.
 */
class ColumnReadTest {
  private static final byte[] FAMILY = KeyValueStore.FAMILY.getBytes(US_ASCII);
  private static final byte[] NO_NAME = {};
  private static final int KEYS = 40;

  @TempDir Path folder;

  private record Written(int key, long timestamp, byte[] value) {}

  private record Past(Snapshot snapshot, int writes) {}

  private static byte[] key(int number) {
    return ("key" + number % 7 + "x".repeat(number % 3) + number).getBytes(US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void findsTheNewestVersionWhateverIsCached(long seed) throws IOException {
    Random random = new Random(seed);
    DatabaseOptions options =
        DatabaseOptions.builder().memoryBytes(8 << 20).blockCacheBytes(1 << 20).build();
    List<Written> written = new ArrayList<>();
    List<Past> pasts = new ArrayList<>();
    try (Database database = Database.open(folder, options)) {
      KeyValueStore store = database.keyValueStore("t");
      Table table = database.table("t");
      for (int step = 0; step < 3_000; step++) {
        int key = random.nextInt(KEYS);
        switch (random.nextInt(40)) {
          case 0 -> database.flush();
          case 1 -> Compactions.compact(database, "t", random.nextBoolean());
          case 2 -> database.flushInMemory("t");
          case 3 -> pasts.add(new Past(database.snapshot(), written.size()));
          case 4 -> {
            if (!pasts.isEmpty()) {
              pasts.remove(random.nextInt(pasts.size())).snapshot().close();
            }
          }
          case 5, 6, 7, 8 -> {
            // Timestamps sometimes go back, so that a file may have the newer version.
            long timestamp = 1 + random.nextInt(5) + step / 500;
            byte[] value = ("value " + step + "v".repeat(random.nextInt(300))).getBytes(US_ASCII);
            table.put(new Put(key(key)).addColumn(FAMILY, NO_NAME, timestamp, value));
            written.add(new Written(key, timestamp, value));
          }
          default -> {
            byte[] expected = newest(written, key);
            assertThat(store.get(key(key))).isEqualTo(expected);
            assertThat(
                    table.get(new Get(key(key)).addColumn(FAMILY, NO_NAME)).value(FAMILY, NO_NAME))
                .isEqualTo(expected);
            if (!pasts.isEmpty()) {
              Past past = pasts.get(random.nextInt(pasts.size()));
              assertThat(store.at(past.snapshot()).get(key(key)))
                  .isEqualTo(newest(written.subList(0, past.writes()), key));
            }
          }
        }
      }
      pasts.forEach(past -> past.snapshot().close());
    }
  }

  private static byte[] newest(List<Written> written, int key) {
    Written newest = null;
    for (Written one : written) {
      if (one.key() == key && (newest == null || one.timestamp() >= newest.timestamp())) {
        newest = one;
      }
    }
    return newest == null ? null : newest.value();
  }

  @Test
  void aDeletedColumnIsGoneThoughItWasCached() throws IOException {
    try (Database database = Database.open(folder)) {
      KeyValueStore store = database.keyValueStore("t");
      store.put(key(1), key(2));
      database.flush();
      for (int i = 0; i < 4; i++) {
        assertThat(store.get(key(1))).isEqualTo(key(2));
      }
      try (Snapshot before = database.snapshot()) {
        store.delete(key(1));
        assertThat(store.get(key(1))).isNull();
        database.flush();
        assertThat(store.get(key(1))).isNull();
        assertThat(store.at(before).get(key(1))).isEqualTo(key(2));
      }
      database.majorCompact("t");
      assertThat(store.get(key(1))).isNull();
    }
  }
}
