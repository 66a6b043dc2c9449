// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.lang.management.MemoryType;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.HeapMemoryManager;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * The resources that all memory stores of one process share: chunks, the budget and the threads
 * that merge.
 *
 * <p>HBase creates memory stores by reflection and passes them nothing of the server, so this is
 * the only object that is reached through a static field. The configuration of the first memory
 * store applies to all.
 *
 * @param pool where chunks come from
 * @param budget the memory that HBase assigns to all memory stores
 * @param executor runs merges and compactions on daemon threads
 * @param logExecutor runs on one daemon thread what waits for HBase's logs
 * @param random decides when ADAPTIVE compacts
 * @param countsOffHeapApart whether HBase has a separate limit for memory off the heap, to which
 *     chunks off the heap then count; otherwise all memory counts as heap
 */
record ServerMemory(
    ChunkPool pool,
    MemoryBudget budget,
    SegmentLayout layout,
    Executor executor,
    Executor logExecutor,
    RandomGenerator random,
    boolean countsOffHeapApart) {
  /** Bytes of a chunk. */
  static final String CHUNK_BYTES_KEY = "accordion.memstore.chunk.bytes";

  /** Where chunks are. */
  static final String CHUNK_MEMORY_KEY = "accordion.memstore.chunk.memory";

  /** Threads that merge and compact. */
  static final String THREADS_KEY = "accordion.memstore.threads";

  /** The memory of the first cell is small if it is one part in this many of a store's share. */
  private static final int SHARE_PER_FIRST_CHUNK_MIN = 8;

  private static final int DEFAULT_CHUNK_BYTES_MIN = 16 << 10;
  private static final int DEFAULT_CHUNK_BYTES_MAX = 256 << 10;

  /**
   * The smallest number of chunks in a flush size. An active segment is a fiftieth of a flush size.
   */
  private static final int CHUNKS_PER_FLUSH_MIN = 256;

  @GuardedBy("ServerMemory.class")
  private static @Nullable ServerMemory instance;

  /**
   * Returns the memory of this process. The first call creates it according to the configuration.
   */
  static synchronized ServerMemory of(Configuration configuration) {
    if (instance == null) {
      instance = open(configuration);
      new MemStoreMetrics(instance.pool());
    }
    return instance;
  }

  /** Returns the most that HBase gives to memory stores if it tunes the parts of the heap. */
  private static long tunedBytesMax(Configuration configuration) {
    float share = configuration.getFloat(HeapMemoryManager.MEMSTORE_SIZE_MAX_RANGE_KEY, 0);
    return (long) (Runtime.getRuntime().maxMemory() * (double) Math.max(0, Math.min(1, share)));
  }

  /**
   * Creates the memory according to a configuration.
   *
   * @throws IllegalArgumentException if a key has a wrong value
   */
  static ServerMemory open(Configuration configuration) {
    int chunkBytes =
        SettingReader.integer(
            configuration,
            CHUNK_BYTES_KEY,
            defaultChunkBytes(configuration),
            ChunkPool.CHUNK_BYTES_MIN,
            ChunkPool.CHUNK_BYTES_MAX);
    if (Integer.bitCount(chunkBytes) != 1) {
      throw SettingReader.wrong(CHUNK_BYTES_KEY, "" + chunkBytes, "a power of two");
    }
    boolean offHeap = isOffHeap(configuration);
    int threads =
        SettingReader.integer(
            configuration,
            THREADS_KEY,
            Math.max(1, Math.min(10, Runtime.getRuntime().availableProcessors() / 2)),
            1,
            100);
    Pair<Long, MemoryType> limit = MemorySizeUtil.getGlobalMemStoreSize(configuration);
    CellMemory cells = offHeap ? CellMemory.OFF_HEAP_CHUNKS : CellMemory.HEAP_CHUNKS;
    long limitBytes = Math.max(1, limit.getFirst());
    if (limit.getSecond() == MemoryType.HEAP) {
      limitBytes = Math.max(limitBytes, tunedBytesMax(configuration));
    }
    if (limitBytes > ChunkPool.CAP_BYTES_MAX) {
      throw new IllegalArgumentException(
          "HBase gives the memory stores of this server "
              + limitBytes
              + " bytes, expected up to "
              + ChunkPool.CAP_BYTES_MAX
              + ": lower "
              + MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY
              + " or "
              + MemorySizeUtil.MEMSTORE_SIZE_KEY);
    }
    return new ServerMemory(
        new ChunkPool(chunkBytes, limitBytes),
        new MemoryBudget(limitBytes),
        SegmentLayout.of(cells, IndexKind.CHUNK),
        executor(threads, "accordion-memstore-"),
        executor(1, "accordion-memstore-log-"),
        new Random(),
        offHeap && limit.getSecond() == MemoryType.NON_HEAP);
  }

  /**
   * Returns whether the memory that a store takes for its first cell, a chunk and a link block, is
   * a small part of the store's share of a flush size. Then it is reported at once, so that HBase's
   * limit counts many stores with few cells. Elsewhere, regions would be full with hardly a cell.
   */
  boolean isFirstChunkSmall(long flushBytes) {
    long firstBytes = pool.chunkBytes() + ChunkPool.LINK_BLOCK_BYTES;
    return SHARE_PER_FIRST_CHUNK_MIN * firstBytes <= flushBytes;
  }

  /** Returns a power of two, of which several make an active segment of the site's flush size. */
  private static int defaultChunkBytes(Configuration configuration) {
    long flushBytes =
        configuration.getLong(
            HConstants.HREGION_MEMSTORE_FLUSH_SIZE,
            TableDescriptorBuilder.DEFAULT_MEMSTORE_FLUSH_SIZE);
    long fitting = Long.highestOneBit(flushBytes / CHUNKS_PER_FLUSH_MIN);
    return (int) Math.max(DEFAULT_CHUNK_BYTES_MIN, Math.min(DEFAULT_CHUNK_BYTES_MAX, fitting));
  }

  private static boolean isOffHeap(Configuration configuration) {
    String value = configuration.getTrimmed(CHUNK_MEMORY_KEY, "offheap");
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "offheap" -> true;
      case "heap" -> false;
      default -> throw SettingReader.wrong(CHUNK_MEMORY_KEY, value, "heap or offheap");
    };
  }

  private static Executor executor(int threads, String name) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            threads,
            threads,
            60,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Runs a task, which must not take long, a second later. */
  static void afterAPause(Runnable task) {
    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run).execute(task);
  }
}
