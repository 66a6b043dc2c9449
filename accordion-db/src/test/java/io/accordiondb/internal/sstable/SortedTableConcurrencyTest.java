// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import static io.accordiondb.fixtures.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SortedTableConcurrencyTest {
  private static final int THREADS = 4;
  private static final List<TestCell> CELLS = Tables.grid(3_000, 4, 30);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void cursorsOfManyThreadsReadOneTableThroughASmallCache(@TempDir Path folder) throws Exception {
    Storage storage = new FileStorage(folder);
    Tables.write(storage, Tables.options(1024, Compression.LZ4, BloomKind.ROWCOL), CELLS);
    BlockCache cache = new BlockCache(100_000);
    SortedTable table = Tables.open(storage, cache);
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int seed = i;
      readers.add(
          threads.submit(
              () -> {
                if (seed == 0) {
                  assertThat(Tables.readAll(table)).isEqualTo(CELLS);
                  table.verify();
                } else {
                  readAtRandom(table, seed, 3_000);
                }
                return null;
              }));
    }
    for (Future<?> reader : readers) {
      reader.get();
    }
    // What is over the budget may still be on its way out, on a thread of the cache's, which begins
    // at the latest with the next reads.
    await(
        "the bytes in the cache",
        () -> {
          readAtRandom(table, 0, 10);
          return cache.stats().usedBytes();
        },
        bytes -> bytes <= 100_000);
    table.release();
  }

  @Test
  void anObsoleteFileIsDeletedOnceWhileReadersComeAndGo(@TempDir Path folder) throws Exception {
    Storage storage = new FileStorage(folder);
    for (int round = 0; round < 30; round++) {
      Tables.write(
          storage, Tables.options(4096, Compression.NONE, BloomKind.ROW), CELLS.subList(0, 400));
      SortedTable table = Tables.open(storage);
      AtomicInteger deletions = new AtomicInteger();
      AtomicInteger reads = new AtomicInteger();
      AtomicBoolean replaced = new AtomicBoolean();
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < THREADS - 1; i++) {
        readers.add(
            threads.submit(
                () -> {
                  while (!replaced.get() && table.tryRetain()) {
                    try (CellCursor cursor = table.cursor(false)) {
                      table.release();
                      assertThat(cursor.seek(CELLS.get(200).bytes(), 0)).isTrue();
                      assertThat(TestCell.current(cursor)).isEqualTo(CELLS.get(200));
                    }
                    reads.incrementAndGet();
                  }
                  return null;
                }));
      }
      await("twenty reads", () -> reads.get() >= 20);
      table.markObsolete(
          () -> {
            deletions.incrementAndGet();
            delete(storage);
          });
      table.release();
      replaced.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
      assertThat(deletions).hasValue(1);
      assertThat(storage.list("")).isEmpty();
    }
  }

  private static void readAtRandom(SortedTable table, int seed, int reads) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < reads; i++) {
      TestCell cell = CELLS.get(random.nextInt(CELLS.size()));
      assertThat(table.mayContainColumn(cell.bytes(), 0)).isTrue();
      try (CellCursor cursor = table.cursor(random.nextBoolean())) {
        assertThat(cursor.seek(cell.bytes(), 0)).isTrue();
        assertThat(TestCell.current(cursor)).isEqualTo(cell);
      }
    }
  }

  private static void delete(Storage storage) {
    try {
      storage.delete(Tables.NAME);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
