// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.memstore;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.management.ThreadMXBean;
import io.accordiondb.bench.Latencies;
import io.accordiondb.bench.ProcessFigures;
import io.accordiondb.bench.Rows;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.FlushableCells;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreListener;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStoreStatistics;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.memstore.Policy;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds cells to one memory store, which is emptied whenever it has reached its memory, as a disk
 * flush would; then fills it halfway and reads.
 */
public final class MemStoreBench {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int SCAN_CELLS = 50;

  /** Immutable segments that reads find, where the policy has a pipeline. */
  private static final int SEGMENTS_READ = 5;

  private final MemStoreBenchOptions options;
  private final Rows rows;
  private final CellStream stream;
  private final int batches;
  private final MemStore store;
  private final ExecutorService background;
  private final AtomicLong sequence = new AtomicLong(1);
  private final AtomicInteger nextBatch = new AtomicInteger();
  private final AtomicLong threadBytes = new AtomicLong();

  private volatile long begunNanos;

  @GuardedBy("this")
  private final List<Latencies> latencies = new ArrayList<>();

  @GuardedBy("this")
  private long flushes;

  @GuardedBy("this")
  private long flushedCells;

  @GuardedBy("this")
  private long overheadBytes;

  private MemStoreBench(MemStoreBenchOptions options) {
    this.options = options;
    this.rows = new Rows(options.keyBytes(), 1, options.valueBytes());
    this.stream = new CellStream(options, rows);
    this.batches = options.operations() / options.batch();
    this.background = Executors.newSingleThreadExecutor();
    this.store =
        new MemStore(
            new MemStoreOptions(
                options.policy(), VersionRules.DEFAULT, options.memoryBytes(), options.layout()),
            new MemStoreEnvironment(
                background,
                System::currentTimeMillis,
                () -> Long.MAX_VALUE,
                new SplittableRandom(1),
                new ChunkPool(CHUNK_BYTES, 2 * options.memoryBytes()),
                new MemoryBudget(2 * options.memoryBytes()),
                MemStoreListener.NONE));
  }

  /** Measures. */
  public static MemStoreFigures run(MemStoreBenchOptions options)
      throws IOException, InterruptedException, ExecutionException {
    MemStoreBench bench = new MemStoreBench(options);
    try {
      return bench.measure();
    } finally {
      bench.background.shutdownNow();
    }
  }

  private MemStoreFigures measure() throws IOException, InterruptedException, ExecutionException {
    long gcMillis = ProcessFigures.gcMillis();
    long begun = System.nanoTime();
    begunNanos = begun;
    add();
    awaitBackground();
    double seconds = (System.nanoTime() - begun) / 1e9;
    double gcShare = (ProcessFigures.gcMillis() - gcMillis) / (seconds * 1e3);
    long cells = (long) batches * options.batch();
    MemStoreStatistics statistics = store.statistics();
    long heapBytes = threadBytes.get() + background.submit(MemStoreBench::allocatedBytes).get();

    int segments = fillForReads();
    double hits = perSecond(options.reads(), () -> countFound(false));
    double misses = perSecond(options.reads(), () -> countFound(true));
    int scans = options.reads() / 10;
    double scanned = perSecond(scans, () -> scan(scans));
    FlushAverages flush = flushAverages();
    Latencies batchLatencies = latencies();
    return new MemStoreFigures(
        cells / seconds,
        batchLatencies.percentiles(),
        batchLatencies.overTime(),
        flush.cells(),
        flush.overheadBytes(),
        (double) heapBytes / cells,
        gcShare,
        hits,
        misses,
        scanned,
        segments,
        statistics.inMemoryFlushes(),
        statistics.merges(),
        statistics.compactions(),
        statistics.aborts(),
        (double) statistics.cellsEliminated() / cells,
        ProcessFigures.peakMemoryBytes());
  }

  private void add() throws InterruptedException, ExecutionException {
    ExecutorService writers = Executors.newFixedThreadPool(options.threads());
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < options.threads(); i++) {
      tasks.add(writers.submit(this::addBatches));
    }
    for (Future<?> task : tasks) {
      task.get();
    }
    writers.shutdown();
  }

  private void addBatches() {
    int batch = options.batch();
    Latencies own = new Latencies();
    for (int i = nextBatch.getAndIncrement(); i < batches; i = nextBatch.getAndIncrement()) {
      long due = awaitDue(i);
      store.add(stream.block(i), stream.offset(i), batch, sequence.getAndAdd(batch));
      if (store.usedBytes() >= options.memoryBytes()) {
        flush();
      }
      own.recordSince(due);
    }
    threadBytes.addAndGet(allocatedBytes());
    synchronized (this) {
      latencies.add(own);
    }
  }

  /** Waits until a batch is due at the requested rate, and returns when it was due. */
  private long awaitDue(int batchNumber) {
    if (options.rate() == 0) {
      return System.nanoTime();
    }
    long due = begunNanos + (long) (1e9 * batchNumber * options.batch() / options.rate());
    while (System.nanoTime() - due < 0) {
      Thread.onSpinWait();
    }
    return due;
  }

  private synchronized Latencies latencies() {
    return Latencies.sum(latencies);
  }

  private synchronized void flush() {
    if (store.usedBytes() < options.memoryBytes()) {
      return;
    }
    FlushableCells held = store.flushableCells();
    overheadBytes += (held.heldBytes() - held.dataBytes()) / Math.max(1, held.cells());
    flushedCells = sequence.get();
    flushes++;
    store.snapshot();
    store.clearSnapshot();
    // A merge that still reads what was flushed ends within a millisecond or two.
    while (store.usedBytes() > options.memoryBytes() / 4) {
      Thread.onSpinWait();
    }
  }

  private record FlushAverages(double cells, double overheadBytes) {}

  private synchronized FlushAverages flushAverages() {
    double full = Math.max(1, flushes);
    return new FlushAverages(flushedCells / full, overheadBytes / full);
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private void awaitBackground() throws InterruptedException, ExecutionException {
    background.submit(() -> {}).get();
  }

  /**
   * Fills the store halfway, goes on until the policy has the segments to read and its active
   * segment is half full, and returns how many immutable segments there are then. An active segment
   * that has just been sealed would spare every read a search.
   */
  private int fillForReads() throws InterruptedException, ExecutionException {
    store.snapshot();
    store.clearSnapshot();
    int wanted = options.policy().kind() == Policy.EAGER ? 1 : SEGMENTS_READ;
    boolean filled = false;
    long activeBytes = 0;
    long sealedBytes = Long.MAX_VALUE;
    for (int i = 0; i < batches; i++) {
      store.add(
          stream.block(i), stream.offset(i), options.batch(), sequence.getAndAdd(options.batch()));
      filled |= store.usedBytes() >= options.memoryBytes() / 2;
      if (filled) {
        awaitBackground();
        MemStoreStatistics statistics = store.statistics();
        long before = activeBytes;
        activeBytes = statistics.active().dataBytes();
        if (activeBytes < before) {
          sealedBytes = before;
        }
        if (options.policy().kind() == Policy.NONE
            || statistics.pipelineSegments() == wanted && activeBytes >= sealedBytes / 2) {
          return statistics.pipelineSegments();
        }
      }
    }
    return store.statistics().pipelineSegments();
  }

  private interface Measured {
    void run() throws IOException;
  }

  /** Runs twice, first to warm up, and returns the rate of the second run. */
  private static double perSecond(long operations, Measured measured) throws IOException {
    measured.run();
    long begun = System.nanoTime();
    measured.run();
    return operations / ((System.nanoTime() - begun) / 1e9);
  }

  /** Looks rows up as a host does: newest source first, until one has the row. */
  private void countFound(boolean absent) throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    int found = 0;
    for (int i = 0; i < options.reads(); i++) {
      ByteBuffer key = absent ? absentKey(random) : presentKey(random);
      try (MemStoreView view = store.view()) {
        for (CellSource source : view.sources()) {
          if (source.mayContainRow(key, 0) && holds(source, key)) {
            found++;
            break;
          }
        }
      }
    }
    if (absent && found > 0) {
      throw new IllegalStateException(found + " rows found that were not added");
    }
    if (!absent && found == 0) {
      throw new IllegalArgumentException(
          "none of " + options.reads() + " reads found a row; add more cells, of fewer records");
    }
  }

  private static boolean holds(CellSource source, ByteBuffer key) throws IOException {
    try (CellCursor cursor = source.cursor()) {
      return cursor.seek(key, 0)
          && CellComparator.compareColumns(cursor.buffer(), cursor.offset(), key, 0) == 0;
    }
  }

  /** Returns the key of a cell that was added for the reads. */
  private ByteBuffer presentKey(SplittableRandom random) {
    return CellStream.searchKey(rows.key(random.nextLong(options.records())));
  }

  private ByteBuffer absentKey(SplittableRandom random) {
    return CellStream.searchKey(rows.key(options.records() + random.nextLong(options.records())));
  }

  private void scan(int scans) throws IOException {
    long valueBytes = 0;
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < scans; i++) {
      ByteBuffer key = presentKey(random);
      try (MemStoreView view = store.view()) {
        try (CellCursor cells = view.cursor(view.sources())) {
          boolean more = cells.seek(key, 0);
          for (int read = 0; more && read < SCAN_CELLS; read++) {
            valueBytes += KeyValueLayout.valueLength(cells.buffer(), cells.offset());
            more = cells.next();
          }
        }
      }
    }
    if (valueBytes == 0 && scans > 0) {
      throw new IllegalStateException("nothing found by " + scans + " scans");
    }
  }
}
