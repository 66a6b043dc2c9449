// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.Await.await;
import static io.accordiondb.fixtures.TestData.key;
import static io.accordiondb.fixtures.TestData.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.statistics.LevelStatistics;
import io.accordiondb.statistics.StoreStatistics;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Files of keys that only ascend share no row, so nobody gains by merging them. */
class AscendingKeysTest {
  private static final int FILES = 30;
  private static final int ROWS = 500;

  private final MemoryStorage disk = new MemoryStorage();

  private final AtomicLong now = new AtomicLong(System.currentTimeMillis());

  private Database open() throws IOException {
    return DatabaseEngine.open(disk, options().build());
  }

  private DatabaseOptions.Builder options() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .levelFileBytes(4 << 10)
        .clock(() -> Instant.ofEpochMilli(now.get()));
  }

  @Test
  void theyAreWrittenOnceAndReadAsOneRun() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < FILES * ROWS; i++) {
        store.put(key(i), value(i));
        if (i % ROWS == ROWS - 1) {
          database.flush();
        }
      }
      assertThat(database.statistics().compactions().count()).isZero();
      assertThat(files(database)).isEqualTo(FILES);
      check(store, 0);
    }
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      check(store, 0);
      for (int i = 0; i < FILES * ROWS; i += 100) {
        store.put(key(i), value(i + 1));
      }
      for (int i = 50; i < FILES * ROWS; i += 100) {
        store.delete(key(i));
      }
      database.flush();
      check(store, 1);
      database.majorCompact("s");
      assertThat(files(database)).isEqualTo(1);
      check(store, 1);
    }
  }

  @Test
  void entriesThatExpireByThemselvesAreDropped() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      write(database, i -> store.put(key(i), value(i), 1_000));
      database.compact("s");
      assertThat(files(database)).isLessThan(FILES / 2);
    }
  }

  @Test
  void aDeleteMarkerDoesNotKeepWhatHasExpired() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s", family().ttlMillis(1_000).build());
      write(
          database,
          i -> {
            store.put(key(i), value(i));
            if (i % ROWS == 0) {
              store.delete(key(i));
            }
          });
      database.compact("s");
      assertThat(files(database)).isLessThan(FILES / 2);
    }
  }

  /** The ranges, like days of a series, begin and end within files. */
  @Test
  void filesThatSeveralRangesDeleteTogetherAreDropped() throws IOException {
    try (Database database = open()) {
      KeyValueStore store = database.keyValueStore("s");
      write(database, i -> store.put(key(i), value(i)));
      int day = ROWS * 3 / 2;
      for (int i = 0; i < FILES * ROWS; i += day) {
        store.deleteRange(key(i), key(Math.min(FILES * ROWS, i + day)));
      }
      database.flush();
      await("the files to be dropped", () -> files(database) == 0);
    }
  }

  @Test
  void aCompactionFilterSeesThem() throws IOException {
    DatabaseOptions options =
        options().compactionFilter("all", cell -> CompactionFilter.Decision.DROP).build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore("s", family().build());
      write(database, i -> store.put(key(i), value(i)));
      assertThat(files(database)).isEqualTo(FILES);
      database.alterTable(
          TableDescriptor.builder("s").family(family().compactionFilter("all").build()).build());
      store.put(key(FILES * ROWS), value(0));
      database.flush();
      database.compact("s");
      assertThat(files(database)).isLessThan(FILES / 2);
    }
  }

  @Test
  void aCompactionFilterThatComesLaterSeesThemWithoutAWrite() throws IOException {
    DatabaseOptions options =
        options()
            .compactionFilter("all", cell -> CompactionFilter.Decision.DROP)
            .compactWhenIdle(false)
            .build();
    try (Database database = DatabaseEngine.open(disk, options)) {
      KeyValueStore store = database.keyValueStore("s", family().build());
      write(database, i -> store.put(key(i), value(i)));
      assertThat(store(database).sortedRuns()).isEqualTo(1);
      database.alterTable(
          TableDescriptor.builder("s").family(family().compactionFilter("all").build()).build());
      await("the files to be merged", () -> files(database) < FILES / 2);
    }
  }

  /** Else writers would wait for compactions that give readers nothing. */
  @Test
  void markersDoNotMakeThemPileUp() throws IOException {
    try (Database database = open()) {
      FamilyDescriptor family = family().compactionStyle(CompactionStyle.LEVELED).build();
      KeyValueStore store = database.keyValueStore("s", family);
      for (int i = 0; i < 3 * ROWS; i++) {
        store.put(key(i), value(i), Long.MAX_VALUE / 2);
        if (i % ROWS == ROWS - 1) {
          database.flush();
        }
      }
      assertThat(store(database).sortedRuns()).isEqualTo(1);
      assertThat(store(database).compactionDebtBytes()).isZero();
    }
  }

  private static FamilyDescriptor.Builder family() {
    return FamilyDescriptor.builder(KeyValueStore.FAMILY);
  }

  /** Writes all rows, each file two seconds after the last. */
  private void write(Database database, Writing writing) throws IOException {
    for (int i = 0; i < FILES * ROWS; i++) {
      writing.write(i);
      if (i % ROWS == ROWS - 1) {
        database.flush();
        now.addAndGet(2_000);
      }
    }
  }

  private interface Writing {
    void write(int number) throws IOException;
  }

  private static long files(Database database) throws IOException {
    return store(database).files().levels().stream().mapToLong(LevelStatistics::files).sum();
  }

  private static StoreStatistics store(Database database) throws IOException {
    return database.statistics().tables().get(0).stores().get(0);
  }

  private static void check(KeyValueStore store, int changed) throws IOException {
    int expected = 0;
    try (KeyValueIterator entries = store.range(null, null)) {
      while (entries.hasNext()) {
        if (changed == 1 && expected % 100 == 50) {
          expected++;
        }
        KeyValue entry = entries.next();
        assertThat(entry.key()).isEqualTo(key(expected));
        assertThat(entry.value()).isEqualTo(valueOf(expected, changed));
        expected++;
      }
    }
    assertThat(expected).isEqualTo(FILES * ROWS);
    for (int i = 0; i < FILES * ROWS; i += 25) {
      byte[] wanted = changed == 1 && i % 100 == 50 ? null : valueOf(i, changed);
      assertThat(Arrays.equals(store.get(key(i)), wanted)).isTrue();
    }
  }

  private static byte[] valueOf(int number, int changed) {
    return value(number % 100 == 0 ? number + changed : number);
  }
}
