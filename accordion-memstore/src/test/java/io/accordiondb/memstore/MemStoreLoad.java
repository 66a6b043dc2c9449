// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.FreeMemory;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/**
 * Four writers, four readers, background work and disk flushes on one memory store, for a number of
 * operations, in bounded memory: a written cell, a looked up row and a scanned cell are one each.
 * Every read is checked, against one number a row.
 */
final class MemStoreLoad {
  private static final int WRITERS = 4;
  private static final int READERS = 4;
  private static final int BATCH = 20;
  private static final int READS = 16;
  private static final int SCAN = 48;
  private static final int VALUE_BYTES = 32;
  private static final int ROW_BYTES = 10;
  private static final int CELL_BYTES = KeyValueLayout.length(ROW_BYTES, 0, 1, VALUE_BYTES);

  /** Memory for each row; rows are chosen unevenly, so that most of it holds versions of few. */
  private static final long FLUSH_BYTES_PER_ROW = 80;

  private static final byte[] NO_BYTES = {};
  private static final byte[] QUALIFIER = {'q'};

  private final int rows;
  private final long flushBytes;
  private final long usedBytesMax;
  private final ChunkPool pool;
  private final MemoryBudget budget;
  private final ReadPoints readPoints = new ReadPoints();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger running = new AtomicInteger(WRITERS + READERS);
  private final AtomicLong operations = new AtomicLong();
  private final AtomicInteger diskFlushes = new AtomicInteger();
  private final long operationsMax;

  /** The sequence number of the last cell of each row; set before the cell is visible. */
  private final AtomicLongArray written;

  /** That of the last flushed one; set before the cell leaves memory. */
  private final AtomicLongArray flushed;

  private final MemStoreOptions options;
  private final MemStore store;
  private final ExecutorService background = Executors.newSingleThreadExecutor();

  MemStoreLoad(Policy policy, SegmentLayout layout, int rows, long operationsMax) {
    this.operationsMax = operationsMax;
    this.rows = rows;
    this.flushBytes = rows * FLUSH_BYTES_PER_ROW;
    this.usedBytesMax = 3 * flushBytes;
    this.pool = new ChunkPool(1 << 16, usedBytesMax);
    this.budget = new MemoryBudget(2 * usedBytesMax);
    this.written = new AtomicLongArray(rows);
    this.flushed = new AtomicLongArray(rows);
    this.options =
        new MemStoreOptions(MemStorePolicy.of(policy), VersionRules.DEFAULT, flushBytes, layout);
    MemStoreListener listener =
        new MemStoreListener() {
          @Override
          public void onFailure(Throwable failure) {
            failures.add(failure);
          }
        };
    this.store =
        new MemStore(
            options,
            new MemStoreEnvironment(
                background, () -> 0, readPoints, new Random(1), pool, budget, listener));
  }

  /** Runs all and checks that nothing was read wrong and that all memory has come back. */
  void run() throws Exception {
    ExecutorService host = Executors.newFixedThreadPool(WRITERS + READERS + 1);
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Writer writer = new Writer(i);
      tasks.add(host.submit(() -> repeat(writer)));
    }
    for (int i = 0; i < READERS; i++) {
      Reader reader = new Reader(WRITERS + i);
      tasks.add(host.submit(() -> repeat(reader)));
    }
    tasks.add(host.submit(this::flushUntilDone));
    host.shutdown();
    for (Future<?> task : tasks) {
      task.get();
    }
    background.shutdown();
    assertThat(background.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(failures).isEmpty();

    Reader reader = new Reader(0);
    for (int row = 0; row < rows; row++) {
      reader.lookUp(row);
    }
    flush();
    // What no view holds is back, though the store is open.
    assertThat(store.flushableCells().cells()).isZero();
    assertThat(pool.chunksInUse()).isZero();
    store.close();
    assertThat(store.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksBeyondCap()).isZero();
    assertThat(pool.bytesFree()).isLessThanOrEqualTo(usedBytesMax);
    assertThat(diskFlushes.get()).isPositive();
  }

  private Void repeat(Callable<Integer> step) throws Exception {
    try {
      while (failures.isEmpty() && operations.get() < operationsMax) {
        operations.addAndGet(step.call());
      }
      return null;
    } catch (Exception | Error e) {
      failures.add(e);
      throw e;
    } finally {
      running.decrementAndGet();
    }
  }

  private Void flushUntilDone() throws IOException {
    try {
      while (running.get() > 0) {
        if (store.usedBytes() > flushBytes) {
          flush();
        } else {
          Thread.yield();
        }
      }
      return null;
    } catch (IOException | RuntimeException | Error e) {
      failures.add(e);
      throw e;
    }
  }

  private void flush() throws IOException {
    FlushSnapshot snapshot = store.snapshot();
    long cells = 0;
    try (CellCursor cursor = snapshot.cursor()) {
      for (boolean more = cursor.seekToFirst(); more; more = cursor.next()) {
        int row = checkedRow(cursor);
        flushed.accumulateAndGet(row, cursor.sequenceNumber(), Math::max);
        cells++;
      }
    }
    assertThat(cells).isEqualTo(snapshot.cellCount());
    store.clearSnapshot();
    FreeMemory.spoil(pool);
    diskFlushes.incrementAndGet();
  }

  /** Returns the number of the row that a cursor stands on, whose value must say the same. */
  private static int checkedRow(CellCursor cursor) {
    ByteBuffer buffer = cursor.buffer();
    int at = cursor.offset();
    int row = 0;
    for (int i = 0; i < ROW_BYTES; i++) {
      row = row * 10 + buffer.get(KeyValueLayout.rowOffset(at) + i) - '0';
    }
    int value = KeyValueLayout.valueOffset(buffer, at);
    long sequence = cursor.sequenceNumber();
    if (cursor.length() != CELL_BYTES
        || KeyValueLayout.timestamp(buffer, at) != sequence
        || buffer.getLong(value) != sequence
        || buffer.getLong(value + VALUE_BYTES - Long.BYTES) != ~sequence
        || buffer.getInt(value + Long.BYTES) != row) {
      throw new AssertionError("damaged cell of row " + row + " and sequence number " + sequence);
    }
    return row;
  }

  private static byte[] rowBytes(int row) {
    byte[] bytes = new byte[ROW_BYTES];
    int left = row;
    for (int i = ROW_BYTES - 1; i >= 0; i--) {
      bytes[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    return bytes;
  }

  private int randomRow(RandomGenerator random) {
    double draw = random.nextDouble();
    return (int) (rows * draw * draw * draw);
  }

  /** Writes batches into every fourth row, so that each row has one writer. */
  private final class Writer implements Callable<Integer> {
    private final int number;
    private final SplittableRandom random;
    private final ByteBuffer cells = ByteBuffer.allocate(BATCH * CELL_BYTES);
    private final int[] chosen = new int[BATCH];

    Writer(int number) {
      this.number = number;
      this.random = new SplittableRandom(number);
    }

    @Override
    public Integer call() {
      while (store.usedBytes() > usedBytesMax / 2 && failures.isEmpty()) {
        Thread.yield();
      }
      long first = readPoints.begin(BATCH);
      for (int i = 0; i < BATCH; i++) {
        chosen[i] = randomRow(random) / WRITERS * WRITERS + number;
        write(chosen[i], first + i, i * CELL_BYTES);
      }
      store.add(cells, 0, BATCH, first);
      for (int i = 0; i < BATCH; i++) {
        written.set(chosen[i], first + i);
      }
      readPoints.finish(first, BATCH);
      return BATCH;
    }

    private void write(int row, long sequence, int at) {
      byte[] value = new byte[VALUE_BYTES];
      ByteBuffer.wrap(value)
          .putLong(sequence)
          .putInt(row)
          .putLong(VALUE_BYTES - Long.BYTES, ~sequence);
      KeyValueLayout.write(
          cells, at, rowBytes(row), NO_BYTES, QUALIFIER, sequence, CellType.PUT.code(), value);
    }
  }

  private final class Reader implements Callable<Integer> {
    private final SplittableRandom random;
    private final ByteBuffer key =
        ByteBuffer.allocate(KeyValueLayout.length(ROW_BYTES, 0, 1, VALUE_BYTES));

    Reader(int seed) {
      this.random = new SplittableRandom(seed);
    }

    @Override
    public Integer call() throws IOException {
      for (int i = 0; i < READS; i++) {
        lookUp(randomRow(random));
      }
      return READS + scan(randomRow(random));
    }

    /** Checks the newest version that one row has for a new reader. */
    void lookUp(int row) throws IOException {
      long readPoint = readPoints.open();
      long last = written.get(row);
      try (MemStoreView view = store.view()) {
        List<CellSource> sources = new ArrayList<>();
        seek(row);
        for (CellSource source : view.sources()) {
          if (source.mayContainRow(key, 0)) {
            sources.add(source);
          }
        }
        long found = 0;
        try (CellCursor cursor = view.cursor(sources)) {
          boolean more = cursor.seek(key, 0);
          while (more && checkedRow(cursor) == row) {
            if (cursor.sequenceNumber() <= readPoint) {
              found = cursor.sequenceNumber();
              break;
            }
            more = cursor.next();
          }
        }
        check(row, last, found, readPoint);
      } finally {
        readPoints.close(readPoint);
      }
    }

    private void seek(int row) {
      KeyValueLayout.write(
          key,
          0,
          rowBytes(row),
          NO_BYTES,
          NO_BYTES,
          Long.MAX_VALUE,
          CellType.DELETE_FAMILY.code(),
          NO_BYTES);
    }

    /**
     * Checks the order of some cells, and that none is there twice; returns how many there were.
     */
    private int scan(int row) throws IOException {
      long readPoint = readPoints.open();
      try (MemStoreView view = store.view()) {
        int cells = 0;
        int lastRow = -1;
        long lastSequence = 0;
        seek(row);
        try (CellCursor cursor = view.cursor(view.sources())) {
          boolean more = cursor.seek(key, 0);
          while (more && cells < SCAN) {
            int at = checkedRow(cursor);
            long sequence = cursor.sequenceNumber();
            if (at < Math.max(row, lastRow) || at == lastRow && sequence >= lastSequence) {
              throw new AssertionError(
                  "row " + at + "@" + sequence + " after " + lastRow + "@" + lastSequence);
            }
            lastRow = at;
            lastSequence = sequence;
            cells++;
            more = cursor.next();
          }
        }
        return cells;
      } finally {
        readPoints.close(readPoint);
      }
    }

    /**
     * Checks what was found of a row.
     *
     * @param last its last write when the reader came, which the reader sees unless it is too new
     */
    private void check(int row, long last, long found, long readPoint) {
      boolean sound = last > readPoint || found == last || flushed.get(row) >= last;
      if (!sound) {
        throw new AssertionError(
            "row %d at %d: found %d in memory and %d flushed, expected %d"
                .formatted(row, readPoint, found, flushed.get(row), last));
      }
    }
  }
}
