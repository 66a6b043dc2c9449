// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

/**
 * How large a run is. The paper has 25 regions on a server whose memory stores share 3 GB, 100M
 * keys and up to 500M writes in 50 regions: 120 MB, 2M keys and 10M writes for a store. All three
 * are scaled together, as is the heap, of which memory stores and block cache have 40% each
 * (section 4.1). Immutable.
 *
 * @param keys different rows
 * @param writes rows written in a write-only run
 * @param memoryBytes memory of all memory stores
 * @param cacheBytes block cache
 * @param heapBytes heap of the process
 * @param regions regions of the table
 * @param threads threads that write or scan
 */
public record WorkSize(
    long keys,
    long writes,
    long memoryBytes,
    long cacheBytes,
    long heapBytes,
    int regions,
    int threads) {
  /** Fields of a row, and the length of each one's value. */
  public static final int FIELDS = 4;

  public static final int FIELD_BYTES = 25;

  /** Rows in a batch, which has 10 KB of values. */
  public static final int BATCH_ROWS = 10_000 / (FIELDS * FIELD_BYTES);

  private static final long STORE_KEYS = 2_000_000;
  private static final long STORE_WRITES = 10_000_000;
  private static final long STORE_MEMORY_BYTES = 120_000_000;
  private static final long MEMORY_BYTES_MIN = 1 << 20;
  private static final int CHUNK_BYTES_MIN = 4 << 10;
  private static final int CHUNK_BYTES_MAX = 64 << 10;
  private static final double HEAP_SHARE = 0.4;

  private static final int THREADS_MAX = 12;

  /**
   * Returns the size for a number of the paper's stores, which may be a fraction.
   *
   * @param heapBaseBytes heap that is needed beside what is scaled
   * @param processors of the machine: half of them are the clients', up to the paper's twelve
   *     threads; the rest is for the store, whose clients have machines of their own in the paper
   */
  public static WorkSize of(double stores, long heapBaseBytes, int processors) {
    long memoryBytes = Math.max(MEMORY_BYTES_MIN, (long) (stores * STORE_MEMORY_BYTES));
    return new WorkSize(
        Math.max(1, (long) (stores * STORE_KEYS)),
        Math.max(1, (long) (stores * STORE_WRITES)),
        memoryBytes,
        memoryBytes,
        (long) (memoryBytes / HEAP_SHARE) + heapBaseBytes,
        (int) Math.max(1, Math.round(stores)),
        Math.max(1, Math.min(THREADS_MAX, processors / 2)));
  }

  /** Returns the size for a number of writes. */
  public static WorkSize ofWrites(long writes, long heapBaseBytes, int processors) {
    return of((double) writes / STORE_WRITES, heapBaseBytes, processors);
  }

  /** Returns a copy with another heap. */
  public WorkSize withHeapBytes(long bytes) {
    return new WorkSize(keys, writes, memoryBytes, cacheBytes, bytes, regions, threads);
  }

  /** Returns a copy with another number of threads. */
  public WorkSize withThreads(int count) {
    return new WorkSize(keys, writes, memoryBytes, cacheBytes, heapBytes, regions, count);
  }

  /** Returns a copy with less to do in a store of the same size. */
  WorkSize withWrites(long count) {
    return new WorkSize(keys, count, memoryBytes, cacheBytes, heapBytes, regions, threads);
  }

  /**
   * Returns the unit of memory allocation: the store's default of 64 KiB for one of the paper's
   * stores, less for a part of it. Otherwise small active segments would leave most of their last
   * unit empty.
   */
  int chunkBytes() {
    double stores = Math.min(1, (double) memoryBytes / STORE_MEMORY_BYTES);
    return Math.max(CHUNK_BYTES_MIN, Integer.highestOneBit((int) (stores * CHUNK_BYTES_MAX)));
  }

  /**
   * Returns the memory at which a store is flushed. The paper's stores are full with their 120 MB,
   * whatever is being flushed just then.
   */
  long storeFlushBytes() {
    return memoryBytes / regions;
  }

  /**
   * Returns the memory of all stores and of one that is being flushed: a 25th of the paper's
   * memory, and as much again for a single store.
   */
  long budgetBytes() {
    return memoryBytes + storeFlushBytes();
  }

  /** Returns rows loaded before reads are measured: 300M of the paper's 500M writes. */
  long writesBeforeReads() {
    return writes * 3 / 5;
  }

  /** Returns rows written while reads are measured: the rest. */
  long writesDuringReads() {
    return writes - writesBeforeReads();
  }

  /** Returns rows in memory when scans begin: half of what fits into it under NONE. */
  long writesInMemoryBeforeScans() {
    return Math.min(writes, keys / 25);
  }

  /** Returns scans and puts: as many for the writes as the paper's 500,000 are for one store. */
  long scanOperations() {
    return Math.max(1, writes / 20);
  }

  /** Returns the readers beside the writers: two of the paper's twelve threads. */
  int readers() {
    return Math.max(1, threads / 6);
  }

  /** Returns the writers beside the readers: ten of the paper's twelve threads. */
  int writersBesideReaders() {
    return Math.max(1, threads - readers());
  }
}
