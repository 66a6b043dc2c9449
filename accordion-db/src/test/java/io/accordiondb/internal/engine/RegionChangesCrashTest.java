// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Power is lost at each change of the disk while regions are split and merged and checkpointed. */
class RegionChangesCrashTest {
  private static final int ROWS = 12;

  /** What was acknowledged, and what was asked for last. */
  private final TreeMap<String, String> acknowledged = new TreeMap<>();

  private String lastKey = "";
  private String lastValue = "";

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(1 << 20)
        .logFileBytes(4 << 10)
        .durability(Durability.FSYNC)
        .build();
  }

  private static String key(int number) {
    return String.format(Locale.ROOT, "key%03d", number);
  }

  private void write(KeyValueStore store, String round) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      lastKey = key(i);
      lastValue = round + "-" + i;
      store.put(bytes(lastKey), bytes(lastValue));
      acknowledged.put(lastKey, lastValue);
    }
  }

  private void work(FaultyStorage storage, MemoryStorage target) {
    acknowledged.clear();
    lastKey = "";
    try (Database database = DatabaseEngine.open(storage, options())) {
      KeyValueStore store = database.keyValueStore("s");
      write(store, "a");
      database.splitRegion("s", bytes(key(5)));
      write(store, "b");
      database.splitRegion("s", bytes(key(8)));
      ((DatabaseEngine) database).checkpoint(target, LogExtent.NEEDED);
      write(store, "c");
      database.majorCompact("s");
      database.mergeRegions("s", bytes(key(1)));
      write(store, "d");
      database.mergeRegions("s", bytes(key(1)));
      database.flush();
      database.majorCompact("s");
      write(store, "e");
    } catch (IOException | RuntimeException e) {
      assertThat(rootOf(e)).isInstanceOf(FaultyStorage.InjectedFault.class);
    }
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private void check(MemoryStorage disk, String when) throws IOException {
    try (Database database = DatabaseEngine.open(disk, options())) {
      KeyValueStore store = database.keyValueStore("s");
      TreeMap<String, String> found = new TreeMap<>();
      try (KeyValueIterator all = store.range(null, null)) {
        all.forEachRemaining(
            entry ->
                found.put(new String(entry.key(), US_ASCII), new String(entry.value(), US_ASCII)));
      }
      if (!found.equals(acknowledged) && !lastKey.isEmpty()) {
        acknowledged.put(lastKey, lastValue);
      }
      assertThat(found).as(when).isEqualTo(acknowledged);
      for (var entry : acknowledged.entrySet()) {
        assertThat(store.get(bytes(entry.getKey()))).isEqualTo(bytes(entry.getValue()));
      }
    }
    assertThat(new Verifier(disk).verify().problems()).as(when).isEmpty();
  }

  @Test
  void nothingAcknowledgedIsLostAtAnyChangeOfTheDisk() throws IOException {
    FaultyStorage counting = new FaultyStorage(new MemoryStorage());
    counting.count(FaultyStorage.CHANGES);
    work(counting, new MemoryStorage());
    long changes = counting.count();
    assertThat(changes).isGreaterThan(100);
    for (long nth = 1; nth <= changes; nth += 3) {
      MemoryStorage disk = new MemoryStorage();
      MemoryStorage target = new MemoryStorage();
      FaultyStorage storage = new FaultyStorage(disk);
      storage.failForEver(FaultyStorage.CHANGES, nth);
      work(storage, target);
      MemoryStorage crashed = disk.crash(new SplittableRandom(nth));
      check(crashed, "change " + nth);
      if (target.exists("CURRENT")) {
        assertThat(new Verifier(target).verify().problems()).as("checkpoint " + nth).isEmpty();
      }
    }
  }
}
