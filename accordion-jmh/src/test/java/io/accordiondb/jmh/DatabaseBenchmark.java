// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.jmh;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValueBatch;
import io.accordiondb.KeyValueIterator;
import io.accordiondb.KeyValueStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A key-value store as an application calls it: nanoseconds for a call, or for one of many rows.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DatabaseBenchmark {
  private static final int KEYS = 100_000;

  /** So few that the cache of single columns has them all. */
  private static final int HOT_KEYS = 1_000;

  private static final int SCAN_ROWS = 50;
  private static final int BATCH_ROWS = 100;
  private static final long MEMORY_BYTES = 64 << 20;

  private final byte[] value = new byte[100];
  private final byte[][] keys = new byte[KEYS][];
  private Database database;
  private KeyValueStore inMemory;
  private KeyValueStore inTables;
  private KeyValueStore written;
  private int next;

  @Setup
  public void fill() throws IOException {
    database =
        Database.inMemory(
            DatabaseOptions.builder()
                .memoryBytes(MEMORY_BYTES)
                .blockCacheBytes(MEMORY_BYTES)
                .durability(Durability.SYNC)
                .build());
    inTables = database.keyValueStore("tables");
    inMemory = database.keyValueStore("memory");
    written = database.keyValueStore("written");
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      int number = random.nextInt(KEYS);
      keys[i] = String.format("user%020d", number).getBytes(StandardCharsets.US_ASCII);
      inTables.put(keys[i], value);
    }
    database.flush();
    database.majorCompact("tables");
    for (byte[] key : keys) {
      inMemory.put(key, value);
    }
  }

  @TearDown
  public void close() throws IOException {
    database.close();
  }

  private byte[] nextKey(int count) {
    next = next >= count - 1 ? 0 : next + 1;
    return keys[next];
  }

  @Benchmark
  public byte[] getFromMemory() throws IOException {
    return inMemory.get(nextKey(KEYS));
  }

  @Benchmark
  public byte[] getFromBlockCache() throws IOException {
    return inTables.get(nextKey(KEYS));
  }

  @Benchmark
  public byte[] getFromColumnCache() throws IOException {
    return inTables.get(nextKey(HOT_KEYS));
  }

  @Benchmark
  @OperationsPerInvocation(SCAN_ROWS)
  public long scan() throws IOException {
    long bytes = 0;
    try (KeyValueIterator rows = inTables.range(nextKey(KEYS), null)) {
      for (int i = 0; i < SCAN_ROWS && rows.hasNext(); i++) {
        bytes += rows.next().value().length;
      }
    }
    return bytes;
  }

  @Benchmark
  public void put() throws IOException {
    written.put(nextKey(KEYS), value);
  }

  /** A row of a batch. */
  @Benchmark
  @OperationsPerInvocation(BATCH_ROWS)
  public void putBatch() throws IOException {
    KeyValueBatch batch = written.writeBatch();
    for (int i = 0; i < BATCH_ROWS; i++) {
      batch.put(nextKey(KEYS), value);
    }
    batch.commit();
  }
}
