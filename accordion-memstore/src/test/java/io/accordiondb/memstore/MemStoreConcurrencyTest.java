// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.FreeMemory;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.layout.IndexKind;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Writers, readers, background work and disk flushes on one memory store at once. */
class MemStoreConcurrencyTest {
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int ROWS = 300;
  private static final int BATCH = 20;
  private static final long FLUSH_BYTES = 3 << 20;

  /** Where most cells are eliminated, memory does not fill. */
  private static final long FLUSH_CELLS_MAX = 30_000;

  private static final int BATCHES_PER_TURN = 10;
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final ChunkPool pool = new ChunkPool(1 << 15, 1 << 30);
  private final MemoryBudget budget = new MemoryBudget(1 << 28);
  private final ReadPoints readPoints = new ReadPoints();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger running = new AtomicInteger(WRITERS + READERS);
  private final AtomicInteger diskFlushes = new AtomicInteger();
  private final long deadline = System.nanoTime() + RUN_NANOS;

  /** What was written, by row and sequence number; a write stands here before it can be visible. */
  private final Map<String, NavigableMap<Long, ModelCell>> written = new ConcurrentHashMap<>();

  /** Sequence numbers of what was flushed, by row; a cell is here before it leaves memory. */
  private final Map<String, NavigableSet<Long>> disk = new ConcurrentHashMap<>();

  private MemStore store;

  @ParameterizedTest
  @EnumSource(Policy.class)
  @Timeout(120)
  void nobodyMissesACellThatIsVisible(Policy policy) throws Exception {
    run(policy, SegmentLayout.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({"OBJECTS, ARRAY", "HEAP_CHUNKS, ARRAY", "HEAP_CHUNKS, CHUNK"})
  @Timeout(120)
  void nobodyMissesACellInAnyLayout(CellMemory cells, IndexKind index) throws Exception {
    run(Policy.ADAPTIVE, SegmentLayout.of(cells, index));
  }

  private void run(Policy policy, SegmentLayout layout) throws Exception {
    ExecutorService background = Executors.newSingleThreadExecutor();
    ExecutorService host = Executors.newFixedThreadPool(WRITERS + READERS + 1);
    store = new MemStore(options(policy, layout), environment(background));
    List<Future<?>> tasks = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      tasks.add(host.submit(() -> untilDone(() -> write(number, new Random(number)))));
    }
    for (int reader = 0; reader < READERS; reader++) {
      tasks.add(host.submit(() -> untilDone(this::readOnce)));
    }
    tasks.add(host.submit(this::flush));
    host.shutdown();
    for (Future<?> task : tasks) {
      task.get();
    }
    background.shutdown();
    assertThat(background.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(failures).isEmpty();

    readOnce();
    store.snapshot();
    store.clearSnapshot();
    store.close();
    assertThat(store.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  private static MemStoreOptions options(Policy policy, SegmentLayout layout) {
    return new MemStoreOptions(
        MemStorePolicy.of(policy).withActiveFraction(0.02).withPipelineSegmentsMax(3),
        VersionRules.DEFAULT,
        FLUSH_BYTES,
        layout);
  }

  private MemStoreEnvironment environment(ExecutorService background) {
    MemStoreListener listener =
        new MemStoreListener() {
          @Override
          public void onFailure(Throwable failure) {
            failures.add(failure);
          }
        };
    return new MemStoreEnvironment(
        background, () -> 0, readPoints, new Random(1), pool, budget, listener);
  }

  private Void untilDone(Runnable step) {
    try {
      while (failures.isEmpty() && (System.nanoTime() < deadline || !hasDoneEnough())) {
        step.run();
      }
    } catch (RuntimeException | Error e) {
      failures.add(e);
      throw e;
    } finally {
      running.decrementAndGet();
    }
    return null;
  }

  /** Returns whether all that the test is about has happened, however slow the machine. */
  private boolean hasDoneEnough() {
    MemStoreStatistics statistics = store.statistics();
    return diskFlushes.get() > 2
        && switch (store.options().policy().kind()) {
          case NONE -> true;
          case BASIC -> statistics.merges() > 2;
          case EAGER -> statistics.compactions() > 2 && statistics.cellsEliminated() > 0;
          case ADAPTIVE -> statistics.merges() > 2 && statistics.compactions() > 0;
          case AUTO -> statistics.merges() + statistics.compactions() > 2;
        };
  }

  /** Each writer has rows of its own, side by side with those of the others. */
  private void write(int writer, Random random) {
    while (store.usedBytes() > 3 * FLUSH_BYTES && failures.isEmpty()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    List<ModelCell> batch = new ArrayList<>();
    long first = readPoints.begin(BATCH);
    for (int i = 0; i < BATCH; i++) {
      long sequence = first + i;
      int row = (int) (ROWS * Math.pow(random.nextDouble(), 3));
      CellType type = random.nextInt(10) == 0 ? CellType.DELETE_COLUMN : CellType.PUT;
      batch.add(
          new ModelCell(
              String.format("row%04d-%d", row, writer),
              "",
              "q",
              sequence,
              type,
              sequence,
              type == CellType.PUT ? "a value of some length" : ""));
    }
    store.add(ModelCell.encode(batch), 0, BATCH, first);
    for (ModelCell cell : batch) {
      written
          .computeIfAbsent(cell.row(), row -> new ConcurrentSkipListMap<>())
          .put(cell.sequence(), cell);
    }
    readPoints.finish(first, BATCH);
    if (random.nextInt(BATCHES_PER_TURN) == 0) {
      Thread.yield();
    }
  }

  /** Opens a view and checks that it shows the newest cell of each row, and keeps showing it. */
  private void readOnce() {
    long readPoint = readPoints.open();
    try (MemStoreView view = store.view()) {
      Map<String, ModelCell> inMemory = newestByRow(view, readPoint);
      long oldestSequence = store.oldestSequence();
      Map<String, ModelCell> expected = newestByRow(readPoint);
      for (ModelCell cell : expected.values()) {
        Long onDisk = disk.getOrDefault(cell.row(), new ConcurrentSkipListSet<>()).floor(readPoint);
        if (onDisk == null || onDisk != cell.sequence()) {
          assertThat(inMemory.get(cell.row())).isEqualTo(cell);
          assertThat(oldestSequence).isLessThanOrEqualTo(cell.sequence());
        }
      }
      assertThat(newestByRow(view, readPoint)).isEqualTo(inMemory);
    } finally {
      readPoints.close(readPoint);
    }
  }

  /** Returns the newest cell of each row that the writers have made visible. */
  private Map<String, ModelCell> newestByRow(long readPoint) {
    Map<String, ModelCell> newest = new HashMap<>();
    written.forEach(
        (row, history) -> {
          Map.Entry<Long, ModelCell> last = history.floorEntry(readPoint);
          if (last != null) {
            newest.put(row, last.getValue());
          }
        });
    return newest;
  }

  /** Returns the newest cell of each row in a view, whose cells must be in order, and each once. */
  private static Map<String, ModelCell> newestByRow(MemStoreView view, long readPoint) {
    Map<String, ModelCell> newest = new HashMap<>();
    Set<Long> sequences = new HashSet<>();
    for (CellSource source : view.sources()) {
      ModelCell last = null;
      for (ModelCell cell : CellReading.readAll(source)) {
        if (last != null && last.compareTo(cell) >= 0) {
          throw new AssertionError(last + " before " + cell);
        }
        last = cell;
        if (cell.sequence() <= readPoint) {
          if (!sequences.add(cell.sequence())) {
            throw new AssertionError(cell + " twice");
          }
          newest.merge(cell.row(), cell, (a, b) -> a.sequence() > b.sequence() ? a : b);
        }
      }
    }
    return newest;
  }

  private void flush() {
    try {
      long flushed = 0;
      while (running.get() > 0) {
        long assigned = readPoints.assigned();
        if (store.flushableBytes() < FLUSH_BYTES && assigned - flushed < FLUSH_CELLS_MAX) {
          LockSupport.parkNanos(PAUSE_NANOS);
        } else {
          flushOnce();
          flushed = assigned;
        }
      }
    } catch (RuntimeException | Error e) {
      failures.add(e);
      throw e;
    }
  }

  /** Flushes as a host does: snapshot, write, let readers see what is written, clear. */
  private void flushOnce() {
    FlushSnapshot snapshot = store.snapshot();
    long cells = 0;
    for (CellSource source : snapshot.sources()) {
      for (ModelCell cell : CellReading.readAll(source)) {
        disk.computeIfAbsent(cell.row(), row -> new ConcurrentSkipListSet<>()).add(cell.sequence());
        cells++;
      }
    }
    assertThat(cells).isEqualTo(snapshot.cellCount());
    store.clearSnapshot();
    FreeMemory.spoil(pool);
    diskFlushes.incrementAndGet();
  }
}
