// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.cell.CellComparator;
import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.retention.CellFilter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes one flat segment of several (section 3.1 of the paper, Figure 3). A merge copies index
 * entries and leaves the cells where they lie; a compaction also drops cells that no reader needs
 * and moves the survivors to chunks of their own.
 *
 * <p>The sources are walked in the order of their current cell, which an array keeps by insertion:
 * there are few of them, and as long as the first source's key prefix stays below the second's, a
 * cell costs one comparison of two longs.
 */
public final class SegmentMerger {
  /** Cells between two looks at the cancellation flag: well below a millisecond. */
  private static final int CANCELLATION_STEP = 1024;

  private final ChunkPool pool;
  private final MemoryAccount account;
  private final KeyPrefix keyPrefix;
  private final BooleanSupplier cancelled;

  /**
   * What a merge or compaction made.
   *
   * @param segment the new segment, with the caller as its holder; null when nothing survived
   * @param cellsRead cells in the sources
   * @param columnsRead different columns among them
   */
  public record Outcome(@Nullable FlatSegment segment, long cellsRead, long columnsRead) {}

  /**
   * Creates a merger.
   *
   * @param keyPrefix the map of the new segment
   * @param cancelled asked every {@value #CANCELLATION_STEP} cells; true ends the work
   */
  public SegmentMerger(
      ChunkPool pool, MemoryAccount account, KeyPrefix keyPrefix, BooleanSupplier cancelled) {
    this.pool = pool;
    this.account = account;
    this.keyPrefix = keyPrefix;
    this.cancelled = cancelled;
  }

  /**
   * Merges indices and drops nothing. Returns null when cancelled.
   *
   * @param sources newest first
   */
  public @Nullable Outcome merge(List<FlatSegment> sources) {
    FlatSegmentBuilder builder = new FlatSegmentBuilder(pool, account, keyPrefix);
    Outcome outcome = null;
    try {
      outcome = merge(sources, builder);
    } finally {
      abandonUnlessBuilt(builder, outcome);
    }
    return outcome;
  }

  /**
   * Merges, drops what the filter does not keep, and moves the rest. Returns null when cancelled.
   */
  public @Nullable Outcome compact(List<FlatSegment> sources, CellFilter filter) {
    FlatSegmentBuilder builder = new FlatSegmentBuilder(pool, account, keyPrefix);
    Outcome outcome = null;
    try {
      outcome = compact(sources, filter, builder);
    } finally {
      abandonUnlessBuilt(builder, outcome);
    }
    return outcome;
  }

  private static void abandonUnlessBuilt(FlatSegmentBuilder builder, @Nullable Outcome outcome) {
    if (outcome == null || outcome.segment() == null) {
      builder.abandon();
    }
  }

  private @Nullable Outcome merge(List<FlatSegment> sources, FlatSegmentBuilder builder) {
    SegmentStats stats = SegmentStats.EMPTY;
    for (FlatSegment source : sources) {
      source.cellArenas().forEach(builder::share);
      stats = stats.plus(source.stats());
    }
    Walk walk = new Walk(sources);
    long columns = 0;
    for (long cells = 0; walk.isValid(); cells++) {
      if (cells % CANCELLATION_STEP == 0 && cancelled.getAsBoolean()) {
        return null;
      }
      builder.add(walk.prefix(), walk.cursor().reference());
      if (walk.isNewColumn()) {
        columns++;
      }
      walk.next();
    }
    return new Outcome(builder.build(stats), stats.cells(), columns);
  }

  private @Nullable Outcome compact(
      List<FlatSegment> sources, CellFilter filter, FlatSegmentBuilder builder) {
    Arena arena = new Arena(pool, account);
    builder.own(arena);
    SegmentCounts counts = new SegmentCounts();
    Walk walk = new Walk(sources);
    long cells = 0;
    long columns = 0;
    for (; walk.isValid(); cells++) {
      if (cells % CANCELLATION_STEP == 0 && cancelled.getAsBoolean()) {
        return null;
      }
      if (walk.isNewColumn()) {
        columns++;
      }
      FlatCursor cell = walk.cursor();
      ByteBuffer buffer = cell.buffer();
      int offset = cell.offset();
      long sequence = cell.sequenceNumber();
      int length = cell.length();
      if (filter.keeps(buffer, offset, length, sequence)) {
        int reference = arena.allocate(CellRecord.bytes(length));
        CellRecord.write(
            arena.buffer(reference), arena.position(reference), buffer, offset, length, sequence);
        builder.add(walk.prefix(), reference);
        counts.add(buffer, offset, length, sequence);
      }
      walk.next();
    }
    return new Outcome(builder.size() == 0 ? null : builder.build(counts.stats()), cells, columns);
  }

  /** The sources in one sorted sequence. */
  private final class Walk {
    private final FlatCursor[] cursors;
    private final boolean[] reusesPrefix;
    private final long[] prefixes;

    /** Places in the list of sources, by which cells of equal key and sequence number go. */
    private final int[] ages;

    private int live;

    private boolean first = true;
    private long lastPrefix;
    private ByteBuffer lastBuffer = ByteBuffer.allocate(0);
    private int lastOffset;

    Walk(List<FlatSegment> sources) {
      cursors = new FlatCursor[sources.size()];
      reusesPrefix = new boolean[sources.size()];
      prefixes = new long[sources.size()];
      ages = new int[sources.size()];
      for (int age = 0; age < sources.size(); age++) {
        FlatSegment source = sources.get(age);
        FlatCursor cursor = new FlatCursor(source);
        if (cursor.seekToFirst()) {
          boolean reuses = source.keyPrefix().equals(keyPrefix);
          cursors[live] = cursor;
          reusesPrefix[live] = reuses;
          prefixes[live] = prefixOf(cursor, reuses);
          ages[live] = age;
          live++;
          settle(live - 1, true);
        }
      }
    }

    boolean isValid() {
      return live > 0;
    }

    FlatCursor cursor() {
      return cursors[0];
    }

    long prefix() {
      return prefixes[0];
    }

    /** Returns whether the current cell's column is another one than the cell's before. */
    boolean isNewColumn() {
      long prefix = prefixes[0];
      FlatCursor cursor = cursors[0];
      ByteBuffer buffer = cursor.buffer();
      int offset = cursor.offset();
      boolean isNew =
          first
              || prefix != lastPrefix
              || CellComparator.compareColumns(buffer, offset, lastBuffer, lastOffset) != 0;
      first = false;
      lastPrefix = prefix;
      lastBuffer = buffer;
      lastOffset = offset;
      return isNew;
    }

    void next() {
      FlatCursor cursor = cursors[0];
      if (cursor.next()) {
        prefixes[0] = prefixOf(cursor, reusesPrefix[0]);
        if (live > 1 && Long.compareUnsigned(prefixes[0], prefixes[1]) >= 0) {
          settle(0, false);
        }
      } else {
        live--;
        System.arraycopy(cursors, 1, cursors, 0, live);
        System.arraycopy(reusesPrefix, 1, reusesPrefix, 0, live);
        System.arraycopy(prefixes, 1, prefixes, 0, live);
        System.arraycopy(ages, 1, ages, 0, live);
      }
    }

    private long prefixOf(FlatCursor cursor, boolean reuses) {
      return reuses ? cursor.prefix() : keyPrefix.of(cursor.buffer(), cursor.offset());
    }

    /** Moves one cursor to where it belongs, all others being in order. */
    private void settle(int at, boolean towardsFront) {
      int step = towardsFront ? -1 : 1;
      int index = at;
      while (index + step >= 0
          && index + step < live
          && (towardsFront ? isBefore(index, index - 1) : isBefore(index + 1, index))) {
        swap(index, index + step);
        index += step;
      }
    }

    private boolean isBefore(int a, int b) {
      if (prefixes[a] != prefixes[b]) {
        return Long.compareUnsigned(prefixes[a], prefixes[b]) < 0;
      }
      FlatCursor x = cursors[a];
      FlatCursor y = cursors[b];
      int order =
          CellComparator.compare(
              x.buffer(),
              x.offset(),
              x.sequenceNumber(),
              y.buffer(),
              y.offset(),
              y.sequenceNumber());
      return order != 0 ? order < 0 : ages[a] < ages[b];
    }

    private void swap(int a, int b) {
      FlatCursor cursor = cursors[a];
      cursors[a] = cursors[b];
      cursors[b] = cursor;
      boolean reuses = reusesPrefix[a];
      reusesPrefix[a] = reusesPrefix[b];
      reusesPrefix[b] = reuses;
      long prefix = prefixes[a];
      prefixes[a] = prefixes[b];
      prefixes[b] = prefix;
      int age = ages[a];
      ages[a] = ages[b];
      ages[b] = age;
    }
  }
}
