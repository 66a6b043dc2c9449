// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.engine;

import static io.accordiondb.fixtures.TestData.bytes;
import static io.accordiondb.internal.storage.MemoryStorage.LOSES_ALL;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.LogExtent;
import io.accordiondb.internal.repair.Verifier;
import io.accordiondb.internal.storage.FaultyStorage;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Power is lost at each change of the disk while regions are split and merged and checkpointed, and
 * at each change of the checkpoint's disk. Some writes are operands that are appended, so that a
 * write that is replayed twice is noticed.
 */
class RegionChangesCrashTest {
  private static final int ROWS = 12;
  private static final FamilyDescriptor APPENDS =
      FamilyDescriptor.builder(KeyValueStore.FAMILY).mergeOperator("append").build();

  /** What was acknowledged. */
  private final TreeMap<String, String> acknowledged = new TreeMap<>();

  /** The same, with the write that was begun last. */
  private final TreeMap<String, String> begun = new TreeMap<>();

  /** What was acknowledged when the checkpoint began. */
  private final TreeMap<String, String> checkpointed = new TreeMap<>();

  private boolean checkpointEnded;

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
    // Each second key, and the others in the next round: there are more of other changes.
    for (int i = round.charAt(0) % 2; i < ROWS; i += 2) {
      String key = key(i);
      String value = round + i + ";";
      switch (i % 4) {
        case 0 -> {
          begun.put(key, value);
          store.put(bytes(key), bytes(value));
        }
        case 1 -> {
          begun.remove(key);
          store.delete(bytes(key));
          acknowledged.remove(key);
          append(store, key, value);
        }
        default -> append(store, key, value);
      }
      acknowledged.clear();
      acknowledged.putAll(begun);
    }
    begun.remove(key(ROWS - 1));
    store.delete(bytes(key(ROWS - 1)));
    acknowledged.remove(key(ROWS - 1));
  }

  private void append(KeyValueStore store, String key, String value) throws IOException {
    begun.merge(key, value, String::concat);
    store.merge(bytes(key), bytes(value));
  }

  private void work(Storage storage, Storage target) {
    acknowledged.clear();
    begun.clear();
    checkpointEnded = false;
    try (Database database = DatabaseEngine.open(storage, options())) {
      KeyValueStore store = database.keyValueStore("s", APPENDS);
      write(store, "a");
      database.splitRegion("s", bytes(key(5)));
      write(store, "b");
      database.splitRegion("s", bytes(key(8)));
      checkpointed.clear();
      checkpointed.putAll(acknowledged);
      ((DatabaseEngine) database).checkpoint(target, LogExtent.NEEDED);
      checkpointEnded = true;
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

  private static TreeMap<String, String> contentsOf(MemoryStorage disk, String when)
      throws IOException {
    TreeMap<String, String> found = new TreeMap<>();
    try (Database database = DatabaseEngine.open(disk, options())) {
      KeyValueStore store = database.keyValueStore("s", APPENDS);
      try (KeyValueIterator all = store.range(null, null)) {
        all.forEachRemaining(
            entry ->
                found.put(new String(entry.key(), US_ASCII), new String(entry.value(), US_ASCII)));
      }
      for (int i = 0; i < ROWS; i++) {
        byte[] got = store.get(bytes(key(i)));
        assertThat(got == null ? null : new String(got, US_ASCII))
            .as(when)
            .isEqualTo(found.get(key(i)));
      }
    }
    assertThat(new Verifier(disk).verify().problems()).as(when).isEmpty();
    return found;
  }

  private void checkCheckpoint(MemoryStorage target, String when) throws IOException {
    if (checkpointEnded || target.exists("CURRENT")) {
      assertThat(contentsOf(target, when)).as(when).isEqualTo(checkpointed);
    }
  }

  @Test
  void nothingAcknowledgedIsLostAtAnyChangeOfTheDisk() throws IOException {
    FaultyStorage counting = new FaultyStorage(new MemoryStorage());
    counting.count(FaultyStorage.CHANGES);
    work(counting, new MemoryStorage());
    long changes = counting.count();
    assertThat(changes).isGreaterThan(100);
    for (long nth = 1; nth <= changes; nth++) {
      MemoryStorage disk = new MemoryStorage();
      MemoryStorage target = new MemoryStorage();
      FaultyStorage storage = new FaultyStorage(disk);
      storage.failForEver(FaultyStorage.CHANGES, nth);
      work(storage, target);
      String when = "change " + nth;
      assertThat(contentsOf(disk.crash(new SplittableRandom(nth)), when))
          .as(when)
          .isIn(acknowledged, begun);
      if (!checkpointEnded || nth == changes) {
        checkCheckpoint(target.crash(new SplittableRandom(nth)), "checkpoint at " + when);
      }
    }
  }

  @Test
  void aCheckpointIsThereOnlyWholeAtAnyChangeOfItsDisk() throws IOException {
    FaultyStorage counting = new FaultyStorage(new MemoryStorage());
    counting.count(FaultyStorage.CHANGES);
    work(new MemoryStorage(), counting);
    long changes = counting.count();
    assertThat(changes).isGreaterThan(10);
    assertThat(checkpointEnded).isTrue();
    for (long nth = 1; nth <= changes; nth++) {
      MemoryStorage target = new MemoryStorage();
      FaultyStorage storage = new FaultyStorage(target);
      storage.failForEver(FaultyStorage.CHANGES, nth);
      work(new MemoryStorage(), storage);
      String when = "change " + nth + " of the checkpoint";
      checkCheckpoint(target.copy(), when);
      checkCheckpoint(target.crash(LOSES_ALL), when);
      checkCheckpoint(target.crash(new SplittableRandom(nth)), when);
    }
  }
}
