// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Regions are split, merged and flushed while another thread writes, on a disk that sometimes
 * cannot begin a sorted table. Nothing that was acknowledged may be missing: not for readers, not
 * after the death of the process, and not after closing.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RegionChangesUnderWritesTest {
  private static final String STORE = "s";
  private static final int CHANGES = 30;
  private static final int KEYS = 1_000;

  /** Between two writes, lest copying what they leave takes the most of the time. */
  private static final long PAUSE_NANOS = 100_000;

  /** Of this number of sorted tables, one cannot be begun. */
  private static final int FAULTY = 4;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder()
        .memoryBytes(4 << 20)
        .storeFlushBytes(4 << 10)
        .experiment(e -> e.withChunkBytes(64 << 10))
        .durability(Durability.SYNC)
        .build();
  }

  private static byte[] key(int number) {
    return String.format(Locale.ROOT, "key%05d", number).getBytes(US_ASCII);
  }

  /** Returns a key that is written without the log. */
  private static byte[] unloggedKey(int number) {
    return ("unlogged" + number).getBytes(US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(longs = 1)
  void nothingAcknowledgedIsLost(long seed) throws Exception {
    run(seed);
  }

  static void run(long seed) throws Exception {
    MemoryStorage disk = new MemoryStorage();
    SplittableRandom random = new SplittableRandom(seed);
    SortedMap<String, Long> acknowledged;
    Database database = DatabaseEngine.open(faulty(disk, random.split()), options());
    try {
      acknowledged = changeUnderWrites(database, disk, random);
      assertThat(logged(database)).as("what readers see").isEqualTo(acknowledged);
      try (Database killed = DatabaseEngine.open(disk.copy(), options())) {
        assertThat(logged(killed)).as("what a kill leaves").isEqualTo(acknowledged);
      }
    } finally {
      close(database);
    }
    try (Database reopened = DatabaseEngine.open(disk, options())) {
      assertThat(logged(reopened)).as("what closing leaves").isEqualTo(acknowledged);
    }
  }

  /** Returns what was acknowledged. */
  private static SortedMap<String, Long> changeUnderWrites(
      Database database, MemoryStorage disk, SplittableRandom random) throws Exception {
    KeyValueStore store = database.keyValueStore(STORE);
    AtomicBoolean ended = new AtomicBoolean();
    SplittableRandom own = random.split();
    FutureTask<SortedMap<String, Long>> writer = new FutureTask<>(() -> write(store, own, ended));
    new Thread(writer, "writer").start();
    try {
      for (int i = 0; i < CHANGES; i++) {
        store.put(unloggedKey(i), new byte[1], Durability.SKIP);
        if (change(database, random)) {
          assertFlushed(disk.copy(), i);
        }
      }
    } finally {
      ended.set(true);
    }
    return writer.get();
  }

  private static Storage faulty(Storage disk, SplittableRandom random) {
    return DefectiveStorage.with(
            (operation, name, original) -> {
              if (operation.equals("create") && name.startsWith("sst/") && fails(random)) {
                throw new IOException("no space for " + name);
              }
              return original.run();
            })
        .apply(disk);
  }

  private static boolean fails(SplittableRandom random) {
    // A compaction that fails is not tried again for a while, in which writers would stall.
    if (Thread.currentThread().getName().startsWith("accordion-compaction")) {
      return false;
    }
    synchronized (random) {
      return random.nextInt(FAULTY) == 0;
    }
  }

  /** Writes until the test ends it; returns what was acknowledged. */
  private static SortedMap<String, Long> write(
      KeyValueStore store, RandomGenerator random, AtomicBoolean ended) throws IOException {
    SortedMap<String, Long> written = new TreeMap<>();
    for (long number = 1; !ended.get(); number++) {
      byte[] key = key(random.nextInt(KEYS));
      store.put(key, Workload.valueOf(number));
      written.put(new String(key, US_ASCII), number);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return written;
  }

  /** Returns whether all memory was flushed. */
  private static boolean change(Database database, RandomGenerator random) {
    byte[] row = key(random.nextInt(KEYS));
    try {
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          database.flush();
          return true;
        }
        case 2, 3 -> database.mergeRegions(STORE, row);
        default -> database.splitRegion(STORE, row);
      }
    } catch (IOException e) {
      // The region stays as it is, or the memory where it is.
      assertThat(e).hasMessageContaining("no space");
    }
    return false;
  }

  /** Checks that what is not in the log, up to a number, is in files. */
  private static void assertFlushed(MemoryStorage killed, int last) throws IOException {
    try (Database database = DatabaseEngine.open(killed, options())) {
      KeyValueStore store = database.keyValueStore(STORE);
      for (int i = 0; i <= last; i++) {
        assertThat(store.get(unloggedKey(i))).as("unlogged key " + i).isNotNull();
      }
    }
  }

  private static void close(Database database) {
    try {
      database.close();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("no space");
    }
  }

  private static SortedMap<String, Long> logged(Database database) throws IOException {
    SortedMap<String, Long> found = new TreeMap<>();
    try (KeyValueIterator all = database.keyValueStore(STORE).range(null, unloggedKey(0))) {
      all.forEachRemaining(
          entry ->
              found.put(
                  new String(entry.key(), US_ASCII), ByteBuffer.wrap(entry.value()).getLong()));
    }
    return found;
  }
}
