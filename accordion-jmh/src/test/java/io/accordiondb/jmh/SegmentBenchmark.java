// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.jmh;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.active.SkipListSegment;
import io.accordiondb.memstore.segment.merge.SegmentMerger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
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

/** The segments of the memory store: nanoseconds for a cell. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SegmentBenchmark {
  /** As many as a segment has when it is flushed in memory. */
  private static final int CELLS = 10_000;

  private static final int BATCH = 100;
  private static final int MERGED = 4;
  private static final long MEMORY_BYTES = 256 << 20;

  private final SegmentMemory memory =
      new SegmentMemory(
          new ChunkPool(64 << 10, MEMORY_BYTES),
          new MemoryAccount(new MemoryBudget(MEMORY_BYTES)),
          SegmentLayout.DEFAULT);
  private final Cells shuffled = Cells.shuffled(CELLS);
  private final ByteBuffer[] keys = new ByteBuffer[CELLS];
  private final KeyPrefix keyPrefix = KeyPrefix.between(Cells.key(0), 0, Cells.key(CELLS - 1), 0);

  private final MutableSegment active = filled(shuffled, 1);
  private final ImmutableSegment flat = flat(shuffled, 1);
  private final List<ImmutableSegment> overlapping =
      List.of(
          flat(Cells.ascending(CELLS / MERGED, 4), 3 * CELLS),
          flat(Cells.ascending(CELLS / MERGED, 3), 2 * CELLS),
          flat(Cells.ascending(CELLS / MERGED, 2), CELLS),
          flat(Cells.ascending(CELLS / MERGED, 1), 1));
  private final FoundCell found = new FoundCell();
  private int next;

  @Setup
  public void makeKeys() {
    ByteBuffer cells = Cells.shuffled(CELLS).bytes();
    for (int i = 0; i < CELLS; i++) {
      ByteBuffer key = ByteBuffer.allocate(Cells.BYTES);
      keys[i] = key.put(0, cells, i * Cells.BYTES, Cells.BYTES);
    }
  }

  @TearDown
  public void release() {
    active.release();
    flat.release();
    overlapping.forEach(ImmutableSegment::release);
  }

  private MutableSegment filled(Cells cells, long firstSequence) {
    MutableSegment segment = new SkipListSegment(memory, keyPrefix, MEMORY_BYTES);
    segment.enter();
    for (int i = 0; i < cells.count(); i += BATCH) {
      segment.insert(
          cells.bytes(), i * Cells.BYTES, BATCH, firstSequence + i, BatchFormat.NUMBERED);
    }
    segment.exit();
    return segment;
  }

  private ImmutableSegment flat(Cells cells, long firstSequence) {
    MutableSegment segment = filled(cells, firstSequence);
    segment.seal();
    ImmutableSegment flattened = segment.flatten(memory, keyPrefix, false, null);
    segment.release();
    return Objects.requireNonNull(flattened);
  }

  private ByteBuffer nextKey() {
    next = next == CELLS - 1 ? 0 : next + 1;
    return keys[next];
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public long insert() {
    MutableSegment segment = filled(shuffled, 1);
    long cells = segment.cellCount();
    segment.release();
    return cells;
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public long insertAndFlatten() {
    ImmutableSegment segment = flat(shuffled, 1);
    long cells = segment.cellCount();
    segment.release();
    return cells;
  }

  @Benchmark
  public long findInActive() throws IOException {
    active.find(nextKey(), 0, Long.MAX_VALUE, found);
    return found.sequence();
  }

  @Benchmark
  public long findInFlat() throws IOException {
    flat.find(nextKey(), 0, Long.MAX_VALUE, found);
    return found.sequence();
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public long scanFlat() {
    long bytes = 0;
    try (ColumnCursor cursor = flat.cursor()) {
      for (boolean valid = cursor.seekToFirst(); valid; valid = cursor.next()) {
        bytes += cursor.length();
      }
    }
    return bytes;
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public long merge() {
    SegmentMerger merger = new SegmentMerger(memory, keyPrefix, () -> false);
    SegmentMerger.Outcome outcome = Objects.requireNonNull(merger.merge(overlapping));
    Objects.requireNonNull(outcome.segment()).release();
    return outcome.cellsRead();
  }
}
