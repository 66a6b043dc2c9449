// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.OpeningStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Databases that are opened for reading while another one writes to the same files. */
@Tag("slow")
class ReadOnlyBesideWriterTest {
  private static final byte[] VALUE = new byte[80];

  private final MemoryStorage disk = new MemoryStorage();
  private final AtomicInteger written = new AtomicInteger();

  private static DatabaseOptions.Builder options() {
    return DatabaseOptions.builder().memoryBytes(4 << 20).logFileBytes(4 << 10);
  }

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "key%05d", number).getBytes(US_ASCII);
  }

  private void put(KeyValueStore store, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      store.put(key(written.get()), VALUE);
      written.incrementAndGet();
    }
  }

  /** Opens for reading; returns the keys, of which none may be missing before another one. */
  private int read(OpeningStorage storage) throws IOException {
    try (Database database = DatabaseEngine.open(storage, options().readOnly(true).build())) {
      KeyValueStore store = database.keyValueStore("s");
      List<Integer> found = new ArrayList<>();
      for (int i = 0; i < written.get(); i++) {
        if (store.get(key(i)) != null) {
          found.add(i);
        }
      }
      assertThat(found).isEqualTo(List.copyOf(found).subList(0, found.size()));
      for (int i = 0; i < found.size(); i++) {
        assertThat(found.get(i)).as("keys found").isEqualTo(i);
      }
      return found.size();
    }
  }

  /**
   * At each file that is opened and each listing in turn, the writer flushes and truncates its log.
   */
  @Test
  void nothingIsMissedThoughTheLogIsTruncatedAtAnyMoment() throws IOException {
    int moments = 1;
    for (int moment = 0; moment < moments; moment++) {
      MemoryStorage folder = new MemoryStorage();
      written.set(0);
      try (Database writer = DatabaseEngine.open(folder, options().build())) {
        KeyValueStore store = writer.keyValueStore("s");
        put(store, 100);
        int before = written.get();
        int chosen = moment;
        OpeningStorage observed =
            new OpeningStorage(
                folder,
                number -> {
                  if (number == chosen) {
                    put(store, 100);
                    writer.flush();
                    writer.majorCompact("s");
                    put(store, 100);
                  }
                });
        assertThat(read(observed)).as("moment %d", moment).isBetween(before, written.get());
        moments = Math.max(moments, observed.operations());
      }
      assertThat(folder.openFiles()).isZero();
    }
    assertThat(moments).isGreaterThan(20);
  }

  /** The writer flushes at every third operation of a reader. */
  @Test
  void aWriterThatFlushesContinuouslyIsReadWhole() throws IOException {
    try (Database writer = DatabaseEngine.open(disk, options().build())) {
      KeyValueStore store = writer.keyValueStore("s");
      put(store, 100);
      for (int i = 0; i < 100; i++) {
        int before = written.get();
        int budget = i % 10;
        AtomicInteger flushes = new AtomicInteger();
        OpeningStorage observed =
            new OpeningStorage(
                disk,
                number -> {
                  if (number % 3 == 0 && flushes.incrementAndGet() <= budget) {
                    put(store, 10);
                    writer.flush();
                  }
                });
        assertThat(read(observed)).isBetween(before, written.get());
      }
    }
    assertThat(disk.openFiles()).isZero();
  }

  /** The writer replaces its tables faster than a reader opens them, for a while. */
  @Test
  void aWriterThatCompactsContinuouslyIsReadWhole() throws IOException {
    try (Database writer = DatabaseEngine.open(disk, options().build())) {
      KeyValueStore store = writer.keyValueStore("s");
      put(store, 100);
      int before = written.get();
      OpeningStorage observed =
          new OpeningStorage(
              disk,
              number -> {
                if (number < 500) {
                  put(store, 1);
                  writer.flush();
                  writer.majorCompact("s");
                }
              });
      assertThat(read(observed)).isBetween(before, written.get());
    }
    assertThat(disk.openFiles()).isZero();
  }

  @Test
  void aBatchIsSeenWholeThoughItsTableIsSplitMeanwhile() throws IOException {
    for (int moment = 0; moment < 30; moment++) {
      MemoryStorage folder = new MemoryStorage();
      written.set(0);
      try (Database writer = DatabaseEngine.open(folder, options().build())) {
        KeyValueStore store = writer.keyValueStore("s");
        put(store, 50);
        int chosen = moment;
        OpeningStorage observed =
            new OpeningStorage(
                folder,
                number -> {
                  if (number == chosen) {
                    writer.splitRegion("s", key(25));
                    put(store, 50);
                  }
                });
        assertThat(read(observed)).as("moment %d", moment).isBetween(50, 100);
      }
    }
  }
}
