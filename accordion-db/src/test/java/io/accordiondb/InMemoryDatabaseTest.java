// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import static io.accordiondb.fixtures.TestData.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.internal.engine.DatabaseEngine;
import io.accordiondb.internal.storage.HeapStorage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases without files. */
class InMemoryDatabaseTest {
  private static final long CPU_NANOS_MAX = 20_000_000;

  @TempDir Path folder;

  private static DatabaseOptions options() {
    return DatabaseOptions.builder().memoryBytes(2 << 20).blockCacheBytes(1 << 20).build();
  }

  @Test
  void eachIsItsOwnAndLeavesNothing() throws IOException {
    try (Database one = Database.inMemory();
        Database other = Database.inMemory()) {
      one.keyValueStore("s").put(bytes("k"), bytes("v"), Durability.FSYNC);
      assertThat(other.exists("s")).isFalse();
      assertThat(one.keyValueStore("s").get(bytes("k"))).isEqualTo(bytes("v"));
    }
    try (Database next = Database.inMemory()) {
      assertThat(next.tables()).isEmpty();
    }
  }

  @Test
  void closingFreesAll() throws IOException {
    HeapStorage storage = new HeapStorage();
    Database database = DatabaseEngine.open(storage, options());
    KeyValueStore store = database.keyValueStore("s");
    store.put(bytes("k"), bytes("v"));
    database.flush();
    KeyValueIterator left = store.range(null, null);
    assertThat(storage.totalBytes()).isPositive();
    database.close();
    database.close();
    assertThat(storage.totalBytes()).isZero();
    assertThat(storage.list("")).isEmpty();
    assertThatThrownBy(() -> store.get(bytes("k"))).isInstanceOf(DatabaseClosedException.class);
    assertThatThrownBy(left::next).isInstanceOf(ClosedException.class);
  }

  @Test
  void whatIsOverwrittenTakesNoMemoryForLong() throws IOException {
    HeapStorage storage = new HeapStorage();
    byte[] value = new byte[1 << 10];
    try (Database database = DatabaseEngine.open(storage, options())) {
      KeyValueStore store = database.keyValueStore("s");
      long bytesMax = 0;
      for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 1_000; i++) {
          store.put(bytes("key" + i), value);
        }
        database.flush();
        database.majorCompact("s");
        bytesMax = Math.max(bytesMax, storage.totalBytes());
        assertThat(storage.list("sst")).hasSizeLessThanOrEqualTo(2);
      }
      database.truncateTable("s");
      database.flush();
      assertThat(storage.list("sst")).isEmpty();
    }
    assertThat(storage.totalBytes()).isZero();
  }

  @Test
  void theLogIsNoLongerThanTheMemoryStoresAreLarge() throws IOException {
    try (Database database = Database.inMemory(options())) {
      assertThat(database.options().logBytesMax()).isEqualTo(2 << 20);
      assertThat(database.options().logFileBytes()).isLessThanOrEqualTo(2 << 17);
    }
  }

  @Test
  void aCheckpointIsADatabaseInAFolder() throws IOException {
    Path kept = folder.resolve("kept");
    try (Database database = Database.inMemory(options())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < 5_000; i++) {
        store.put(bytes("key" + i), bytes("value" + i));
        if (i == 2_500) {
          database.flush();
        }
      }
      database.checkpoint(kept);
      store.put(bytes("later"), bytes("v"));
    }
    assertThat(Database.verify(kept).problems()).isEmpty();
    try (Database database = Database.open(kept, options())) {
      KeyValueStore store = database.keyValueStore("s");
      for (int i = 0; i < 5_000; i++) {
        assertThat(store.get(bytes("key" + i))).isEqualTo(bytes("value" + i));
      }
      assertThat(store.exists(bytes("later"))).isFalse();
    }
    assertThat(Files.exists(Path.of("memory:"))).isFalse();
  }

  @Test
  void sortedFilesAreTakenIn() throws IOException {
    Path file = folder.resolve("file");
    FamilyDescriptor family = FamilyDescriptor.of(KeyValueStore.FAMILY);
    try (SortedFileWriter writer = SortedFileWriter.create(file, family)) {
      writer.add(bytes("k"), new byte[0], 1, bytes("v"));
      writer.finish();
    }
    try (Database database = Database.inMemory(options())) {
      KeyValueStore store = database.keyValueStore("s");
      database.ingest("s", KeyValueStore.FAMILY, List.of(file));
      assertThat(store.get(bytes("k"))).isEqualTo(bytes("v"));
    }
  }

  @Test
  void readOnlyMakesNoSense() throws IOException {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Database.inMemory(DatabaseOptions.builder().readOnly(true).build()).close())
        .withMessageContaining("read-only");
    DatabaseOptions existing = DatabaseOptions.builder().createIfMissing(false).build();
    try (Database database = Database.inMemory(existing)) {
      assertThat(database.tables()).isEmpty();
    }
  }

  @Test
  void manyThreadsWriteReadAndFlush() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Database database = Database.inMemory(options())) {
      KeyValueStore store = database.keyValueStore("s");
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int thread = t;
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 4_000; i++) {
                    byte[] key = bytes(thread + "-" + i);
                    store.put(key, new byte[500]);
                    assertThat(store.get(key)).hasSize(500);
                    if (i % 1_000 == 999) {
                      database.flush();
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
      assertThat(count(store)).isEqualTo(16_000);
      assertThat(database.statistics()).isNotNull();
    } finally {
      threads.shutdown();
    }
  }

  private static int count(KeyValueStore store) throws IOException {
    try (KeyValueIterator entries = store.range(null, null)) {
      int count = 0;
      while (entries.hasNext()) {
        entries.next();
        count++;
      }
      return count;
    }
  }

  /**
   * Prints how long opening takes, once its code is loaded and compiled. The processor's time does
   * not grow while other processes run.
   */
  @Test
  void opensQuickly() throws IOException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long bestNanos = Long.MAX_VALUE;
    long bestCpuNanos = Long.MAX_VALUE;
    for (int i = 0; i < 20 || (bestCpuNanos >= CPU_NANOS_MAX && i < 2_000); i++) {
      long begin = System.nanoTime();
      long cpuBegin = threads.getCurrentThreadCpuTime();
      Database database = Database.inMemory();
      bestCpuNanos = Math.min(bestCpuNanos, threads.getCurrentThreadCpuTime() - cpuBegin);
      bestNanos = Math.min(bestNanos, System.nanoTime() - begin);
      database.close();
    }
    System.out.printf("a database in memory opens in %.2f ms%n", bestNanos / 1e6);
    assertThat(bestCpuNanos).isLessThan(CPU_NANOS_MAX);
  }
}
