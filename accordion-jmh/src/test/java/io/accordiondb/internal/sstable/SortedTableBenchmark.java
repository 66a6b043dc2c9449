// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.jmh.Cells;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

/** A sorted table: nanoseconds for a cell, or for a block where the name says so. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SortedTableBenchmark {
  private static final int CELLS = 100_000;
  private static final long CACHE_BYTES = 64 << 20;
  private static final String NAME = "table";
  private static final String WRITTEN = "written";
  private static final SortedTableOptions OPTIONS =
      new SortedTableOptions(4 << 10, 16, Compression.LZ4, BloomKind.ROWCOL);

  private final Cells cells = Cells.ascending(CELLS, 1);
  private final ByteBuffer[] keys = new ByteBuffer[CELLS];
  private final FoundCell found = new FoundCell();
  private final long[] hashes = new long[CELLS];
  private byte[] filter = {};
  private int next;
  private Path folder = Path.of("");
  private FileStorage storage;
  private SortedTable cached;
  private SortedTable uncached;

  @Setup
  public void write() throws IOException {
    folder = Files.createTempDirectory("accordion-jmh-");
    storage = new FileStorage(folder);
    write(NAME);
    cached = SortedTable.open(storage, NAME, 1, new BlockCache(CACHE_BYTES));
    uncached = SortedTable.open(storage, NAME, 1, new BlockCache(0));
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < CELLS; i++) {
      ByteBuffer key = Cells.key(random.nextInt(CELLS));
      keys[i] = key;
      hashes[i] = BloomHash.ofColumn(key, 0);
    }
    filter = BloomFilter.build(hashes, CELLS);
  }

  @TearDown
  public void delete() throws IOException {
    cached.release();
    uncached.release();
    storage.delete(NAME);
    Files.delete(folder);
  }

  private void write(String name) throws IOException {
    SortedTableWriter writer = new SortedTableWriter(storage, name, 1, OPTIONS);
    for (int i = 0; i < CELLS; i++) {
      writer.add(cells.bytes(), i * Cells.BYTES, Cells.BYTES, i + 1);
    }
    writer.finish();
  }

  private int nextNumber() {
    next = next == CELLS - 1 ? 0 : next + 1;
    return next;
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public void encode() throws IOException {
    write(WRITTEN);
    storage.delete(WRITTEN);
  }

  @Benchmark
  public long findInCachedBlock() throws IOException {
    cached.find(keys[nextNumber()], 0, Long.MAX_VALUE, true, found);
    return found.sequence();
  }

  @Benchmark
  public long findInBlockOfFile() throws IOException {
    uncached.find(keys[nextNumber()], 0, Long.MAX_VALUE, false, found);
    return found.sequence();
  }

  @Benchmark
  public boolean seekInCachedBlock() throws IOException {
    try (CellCursor cursor = cached.cursor(true)) {
      return cursor.seek(keys[nextNumber()], 0);
    }
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public long scanCachedBlocks() throws IOException {
    long bytes = 0;
    try (CellCursor cursor = cached.cursor(true)) {
      for (boolean valid = cursor.seekToFirst(); valid; valid = cursor.next()) {
        bytes += cursor.length();
      }
    }
    return bytes;
  }

  @Benchmark
  @OperationsPerInvocation(2 * CELLS)
  public long mergeCachedBlocks() throws IOException {
    long bytes = 0;
    try (MergingCursor merged =
        new MergingCursor(List.of(cached.cursor(true), cached.cursor(true)))) {
      for (boolean valid = merged.seekToFirst(); valid; valid = merged.next()) {
        bytes += merged.current().length();
      }
    }
    return bytes;
  }

  @Benchmark
  public boolean bloomFilter() {
    return BloomFilter.mayContain(filter, filter.length, hashes[nextNumber()]);
  }
}
