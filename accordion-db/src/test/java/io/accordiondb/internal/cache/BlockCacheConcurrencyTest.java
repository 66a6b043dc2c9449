// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.internal.metrics.Tallies;
import io.accordiondb.statistics.BlockKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Threads read blocks that others move and evict all the time, in a cache of very few slabs. */
public class BlockCacheConcurrencyTest {
  private static final int THREADS = 4;
  private static final int OPERATIONS = 300_000;
  private static final int OFFSETS = 100;
  private static final long CAPACITY_BYTES = 100_000;

  @Test
  void whatIsReadIsWhatWasGiven() throws Exception {
    check();
  }

  /** Throws if a thread reads anything but what was given. */
  public static void check() throws Exception {
    Tallies tallies = new Tallies();
    BlockCache cache = new BlockCache(CAPACITY_BYTES, tallies);
    CachedFile file = cache.newFile();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = new SplittableRandom(i);
        readers.add(threads.submit(() -> read(cache, file, random)));
      }
      long found = 0;
      for (Future<Long> reader : readers) {
        found += reader.get();
      }
      assertThat(found).isBetween((long) OPERATIONS / 100, (long) THREADS * OPERATIONS);
      assertThat(tallies.blockHits()).isEqualTo(found);
      assertThat(cache.pins()).isZero();
      assertThat(cache.takenBytes()).isLessThanOrEqualTo(CAPACITY_BYTES);
    } finally {
      threads.shutdownNow();
    }
  }

  private static long read(BlockCache cache, CachedFile file, SplittableRandom random) {
    BlockBuffer buffer = cache.takeBuffer();
    long found = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      int offset = random.nextInt(random.nextBoolean() ? OFFSETS : OFFSETS / 10);
      if (random.nextBoolean()) {
        found += readInPlace(cache, file, offset) ? 1 : 0;
      } else if (cache.read(BlockKind.DATA, file, offset, buffer)) {
        found++;
        check(offset, buffer.payload());
      } else {
        cache.put(file, offset, block(offset));
      }
    }
    cache.giveBack(buffer);
    return found;
  }

  /** Reads a block where it lies; one that is not there is filled in where it will lie. */
  private static boolean readInPlace(BlockCache cache, CachedFile file, int offset) {
    CachedBlock block = cache.pin(BlockKind.DATA, file, offset);
    boolean found = block != null;
    if (block == null) {
      block = cache.offer(file, offset, length(offset));
      if (block != null) {
        block.memory().put(block.start(), block(offset), 0, length(offset));
        block.openPinned();
      }
    }
    if (block != null) {
      check(offset, block.memory().slice(block.start(), block.length()));
      block.unpin();
    }
    return found;
  }

  private static int length(int offset) {
    return 1_000 + 50 * offset;
  }

  private static ByteBuffer block(int offset) {
    ByteBuffer block = ByteBuffer.allocate(length(offset));
    for (int at = 0; at + Integer.BYTES <= block.limit(); at += Integer.BYTES) {
      block.putInt(at, offset * 31 + at);
    }
    return block;
  }

  private static void check(int offset, ByteBuffer found) {
    assertThat(found.limit()).isEqualTo(length(offset));
    for (int at = 0; at + Integer.BYTES <= found.limit(); at += Integer.BYTES) {
      if (found.getInt(at) != offset * 31 + at) {
        throw new AssertionError("block " + offset + " has " + found.getInt(at) + " at " + at);
      }
    }
  }
}
