// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What reads of a key-value store allocate on the heap beside what they return. */
class ReadGarbageTest {
  private static final int KEYS = 500;
  private static final int VALUE_BYTES = 100;

  /** Two objects that name what a reader sees and holds: segments, files and rules. */
  private static final long VIEW_BYTES = 80;

  /** What reading a block that is not in the cache adds. */
  private static final long MISS_BYTES = 120;

  /** The object that holds key and value of a row. */
  private static final long KEY_VALUE_BYTES = 24;

  /** What a scan is made of: bounds, views, and a cursor for each source. */
  private static final long SCAN_BYTES = 3_700;

  /** The same, and views of the rows that the scan passes. */
  private static final long REVERSE_SCAN_BYTES = 4_900;

  private final byte[][] keys =
      IntStream.range(0, 2 * KEYS).mapToObj(i -> bytes("key " + i)).toArray(byte[][]::new);

  /** Returns the bytes of a get beside its value: of a key that exists if its number is small. */
  private long garbage(KeyValueStore store, int from) throws Throwable {
    long valueBytes = from < KEYS ? ThreadAllocation.arrayBytes(VALUE_BYTES) : 0;
    long bytes =
        ThreadAllocation.bytesOf(
            () -> {
              for (int i = from; i < from + KEYS; i++) {
                byte[] value = store.get(keys[i]);
                if ((value != null) != (i < KEYS)) {
                  throw new AssertionError("key " + i + " is there or not");
                }
              }
            });
    return (bytes - KEYS * valueBytes) / KEYS;
  }

  private static Database open(long blockCacheBytes) throws IOException {
    return DatabaseEngine.open(
        new MemoryStorage(),
        DatabaseOptions.builder()
            .memoryBytes(8 << 20)
            .blockCacheBytes(blockCacheBytes)
            .compactWhenIdle(false)
            .build());
  }

  private KeyValueStore storeWithKeys(Database database) throws IOException {
    KeyValueStore store = database.keyValueStore("s");
    for (int i = 0; i < KEYS; i++) {
      store.put(keys[i], new byte[VALUE_BYTES]);
    }
    return store;
  }

  @Test
  void aGetFromMemoryOrTheCachesMakesNoMoreThanTheValueAndAView() throws Throwable {
    try (Database database = open(8 << 20)) {
      KeyValueStore store = storeWithKeys(database);
      assertThat(garbage(store, 0)).as("in memory").isLessThanOrEqualTo(VIEW_BYTES);
      assertThat(garbage(store, KEYS)).as("nowhere").isLessThanOrEqualTo(VIEW_BYTES);
      database.flush();
      assertThat(garbage(store, 0)).as("in a table").isLessThanOrEqualTo(VIEW_BYTES);
      assertThat(garbage(store, KEYS)).as("in no table").isLessThanOrEqualTo(VIEW_BYTES);
    }
  }

  @Test
  void aGetFromAFileMakesLittleMore() throws Throwable {
    try (Database database = open(0)) {
      KeyValueStore store = storeWithKeys(database);
      database.flush();
      assertThat(garbage(store, 0)).isLessThanOrEqualTo(VIEW_BYTES + MISS_BYTES);
    }
  }

  /** Returns the bytes of a scan of ten rows beside its keys and values. */
  private static long garbageOfScan(KeyValueStore store, boolean reverse) throws Throwable {
    int rows = 10;
    byte[] last = bytes("key 200");
    long rowBytes =
        ThreadAllocation.arrayBytes(last.length)
            + ThreadAllocation.arrayBytes(VALUE_BYTES)
            + KEY_VALUE_BYTES;
    long bytes =
        ThreadAllocation.bytesOf(
            () -> {
              try (KeyValueIterator scan =
                  reverse ? store.reverseRange(null, last) : store.range(last, null)) {
                for (int i = 0; i < rows; i++) {
                  scan.next();
                }
              }
            });
    return bytes - rows * rowBytes;
  }

  @Test
  void aScanMakesLittleBesideItsRows() throws Throwable {
    try (Database database = open(8 << 20)) {
      KeyValueStore store = storeWithKeys(database);
      assertThat(garbageOfScan(store, false)).as("in memory").isLessThan(SCAN_BYTES);
      assertThat(garbageOfScan(store, true)).as("down in memory").isLessThan(REVERSE_SCAN_BYTES);
      database.flush();
      assertThat(garbageOfScan(store, false)).as("in a table").isLessThan(SCAN_BYTES);
      assertThat(garbageOfScan(store, true)).as("down in a table").isLessThan(REVERSE_SCAN_BYTES);
    }
  }
}
