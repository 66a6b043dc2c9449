// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.merge;

import io.accordiondb.chunk.SharedMemory;
import io.accordiondb.memstore.segment.ArenaEvacuation;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentBuilder;
import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.memstore.segment.build.SegmentBuilders;
import io.accordiondb.memstore.segment.flat.FlatCursor;
import io.accordiondb.memstore.segment.flat.FlatSegment;
import io.accordiondb.memstore.segment.flat.FlatSegmentBuilder;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.ColumnFold;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Merges several immutable segments into one (section 3.1 of the paper, Figure 3). A merge copies
 * index entries and leaves the cells in place; a compaction also drops cells that no reader needs,
 * and moves survivors out of arenas that hold few of them. The sources do not change, so readers go
 * on with them; the caller swaps the result in. Belongs to one thread.
 */
public final class SegmentMerger {
  private final SegmentMemory memory;
  private final KeyPrefix keyPrefix;
  private final BooleanSupplier cancelled;

  /**
   * What a merge or compaction made.
   *
   * @param segment the new segment, with the caller as its holder; null when nothing survived
   * @param cellsRead cells in the sources
   * @param columnsRead different columns among them
   */
  public record Outcome(@Nullable ImmutableSegment segment, long cellsRead, long columnsRead) {}

  /**
   * Creates a merger.
   *
   * @param memory where the new segment is and in what form
   * @param keyPrefix the map of the new segment
   * @param cancelled called regularly, often within a millisecond; true ends the work
   */
  public SegmentMerger(SegmentMemory memory, KeyPrefix keyPrefix, BooleanSupplier cancelled) {
    this.memory = memory;
    this.keyPrefix = keyPrefix;
    this.cancelled = cancelled;
  }

  /**
   * Merges indices and drops nothing. Returns null when cancelled.
   *
   * @param sources newest first
   */
  public @Nullable Outcome merge(List<? extends ImmutableSegment> sources) {
    return build(builder -> merge(sources, builder));
  }

  /**
   * Merges, drops what the filter does not keep, and moves the rest. Returns null when cancelled.
   *
   * @param sources newest first
   * @param room supplies the bytes that copies may take; called only if cells can also stay in
   *     place
   */
  public @Nullable Outcome compact(
      List<? extends ImmutableSegment> sources, CellFilter filter, LongSupplier room) {
    ColumnFold fold = filter.columnFold();
    return build(
        builder ->
            fold != null
                ? new FoldingCompaction(memory, keyPrefix, cancelled)
                    .fold(sources, fold, room, builder)
                : compact(sources, filter, room, builder));
  }

  private @Nullable Outcome build(Function<SegmentBuilder, @Nullable Outcome> work) {
    SegmentBuilder builder = SegmentBuilders.begin(memory, keyPrefix);
    Outcome outcome = null;
    try {
      outcome = work.apply(builder);
    } finally {
      if (outcome == null || outcome.segment() == null) {
        builder.abandon();
      }
    }
    return outcome;
  }

  private @Nullable Outcome merge(
      List<? extends ImmutableSegment> sources, SegmentBuilder builder) {
    for (ImmutableSegment source : sources) {
      for (SharedMemory shared : source.cellMemory()) {
        builder.share(shared);
      }
    }
    ColumnMerge walk = new ColumnMerge(sources, keyPrefix);
    for (int step = 0; walk.isValid(); step++) {
      if (step % SegmentBuilder.CANCELLATION_STEP == 0 && cancelled.getAsBoolean()) {
        return null;
      }
      builder.add(walk.cell(), walk.prefix(), !walk.isNewColumn());
      walk.next();
    }
    SegmentStats stats = statsOf(sources);
    ImmutableSegment merged = builder.build(stats, sketchOf(sources));
    return new Outcome(merged, stats.cells(), merged.columnCount());
  }

  private @Nullable Outcome compact(
      List<? extends ImmutableSegment> sources,
      CellFilter filter,
      LongSupplier room,
      SegmentBuilder builder) {
    SegmentStats stats = statsOf(sources);
    if (builder instanceof FlatSegmentBuilder flat
        && sources.stream().allMatch(FlatSegment.class::isInstance)
        && filter.keepsFirstAlone(
            stats.deleteMarkers(), stats.maxSequence(), stats.minTimestamp())) {
      return keepFirsts(sources, stats, room, flat);
    }
    boolean mayLeaveOut = filter.begin(stats.deleteMarkers(), stats.maxSequence());
    SegmentCounts counts = new SegmentCounts();
    ArenaEvacuation evacuation = new ArenaEvacuation(memory.pool(), sources);
    ColumnMerge walk = new ColumnMerge(sources, keyPrefix);
    long columns = 0;
    boolean continues = false;
    for (int step = 0; walk.isValid(); step++) {
      if (step % SegmentBuilder.CANCELLATION_STEP == 0 && cancelled.getAsBoolean()) {
        return null;
      }
      ColumnCursor cell = walk.cell();
      int length = cell.length();
      boolean kept;
      if (walk.isNewColumn()) {
        columns++;
        continues = false;
        kept = filter.keepsNextColumn(cell.buffer(), cell.offset(), length, cell.sequenceNumber());
      } else {
        kept = filter.keepsNextVersion(cell.buffer(), cell.offset(), length, cell.sequenceNumber());
      }
      if (kept) {
        builder.addSurvivor(cell, length, evacuation, walk.prefix(), continues);
        counts.add(cell.buffer(), cell.offset(), length, cell.sequenceNumber());
        continues = true;
      }
      if (mayLeaveOut && filter.hasAllVersions()) {
        walk.nextColumn();
      } else {
        walk.next();
      }
    }
    if (!builder.settle(evacuation, room.getAsLong(), cancelled)) {
      return null;
    }
    ImmutableSegment compacted =
        builder.size() == 0 ? null : builder.build(counts.stats(), sketchOf(sources));
    return new Outcome(compacted, stats.cells(), columns);
  }

  /** Counts the cells that a compaction drops. */
  private static final class LeftOut implements Consumer<ColumnCursor> {
    private final SegmentStats stats;
    private final ArenaEvacuation evacuation;
    private long bytes;
    private boolean endsSequence;

    LeftOut(SegmentStats stats, ArenaEvacuation evacuation) {
      this.stats = stats;
      this.evacuation = evacuation;
    }

    @Override
    public void accept(ColumnCursor cell) {
      int length = cell.length();
      long sequence = cell.sequenceNumber();
      bytes += length;
      endsSequence |= sequence == stats.minSequence() || sequence == stats.maxSequence();
      evacuation.remove(((FlatCursor) cell).reference(), CellRecord.bytes(length));
    }
  }

  /**
   * Compacts if exactly the first cell of each column is kept. It reads cells only to compare
   * columns, and subtracts dropped cells from the counts of the sources, so it takes as long as a
   * merge. The range of timestamps stays that of the sources.
   */
  private @Nullable Outcome keepFirsts(
      List<? extends ImmutableSegment> sources,
      SegmentStats stats,
      LongSupplier room,
      FlatSegmentBuilder builder) {
    ArenaEvacuation evacuation = new ArenaEvacuation(memory.pool(), sources);
    evacuation.addAll();
    LeftOut leftOut = new LeftOut(stats, evacuation);
    ColumnMerge walk = new ColumnMerge(sources, keyPrefix);
    for (int step = 0; walk.isValid(); step++) {
      if (step % SegmentBuilder.CANCELLATION_STEP == 0 && cancelled.getAsBoolean()) {
        return null;
      }
      builder.add(walk.cell(), walk.prefix(), false);
      walk.nextColumn(leftOut);
    }
    if (!builder.settle(evacuation, room.getAsLong(), cancelled)) {
      return null;
    }
    int columns = builder.size();
    SegmentStats kept =
        new SegmentStats(
            columns,
            0,
            Long.MIN_VALUE,
            stats.dataBytes() - leftOut.bytes,
            stats.minTimestamp(),
            stats.maxTimestamp(),
            stats.minSequence(),
            stats.maxSequence());
    if (leftOut.endsSequence) {
      // The host truncates its log by the oldest sequence number.
      SegmentCounts counts = new SegmentCounts();
      if (!builder.count(counts, cancelled)) {
        return null;
      }
      kept = counts.stats();
    }
    return new Outcome(builder.build(kept, sketchOf(sources)), stats.cells(), columns);
  }

  /** Returns the sum of the counts of all sources. */
  static SegmentStats statsOf(List<? extends ImmutableSegment> sources) {
    SegmentStats stats = SegmentStats.EMPTY;
    for (ImmutableSegment source : sources) {
      stats = stats.plus(source.stats());
    }
    return stats;
  }

  /** Returns the sketch of all columns, or null when a source has none. */
  static @Nullable DistinctSketch sketchOf(List<? extends ImmutableSegment> sources) {
    DistinctSketch united = new DistinctSketch();
    for (ImmutableSegment source : sources) {
      DistinctSketch sketch = source.sketch();
      if (sketch == null) {
        return null;
      }
      united = united.union(sketch);
    }
    return united;
  }
}
