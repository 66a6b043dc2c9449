// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.build;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentBuilder;
import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.retention.CellFilter;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes an immutable segment of the cells of a sealed one, which are given in order and copied in
 * that order. So the cells of an immutable segment lie as they are read; and what a filter drops,
 * which in an active segment is many overwritten versions where keys are skewed, takes no memory
 * any more. The copy is cheap, because an active segment fits the processor's cache. Belongs to one
 * thread; ends with {@link #build} or {@link #abandon}.
 */
public final class Flattening {
  private final ChunkPool pool;
  private final SegmentBuilder builder;
  private final @Nullable DistinctSketch sketch;
  private final @Nullable CellFilter filter;
  private final boolean mayLeaveOut;
  private final SegmentCounts counts = new SegmentCounts();

  /** The prefix of the current column. */
  private long prefix;

  private boolean beginsColumn;

  /** Whether a cell of the current column was kept. */
  private boolean continues;

  /**
   * Begins a segment.
   *
   * @param sketched whether it gets a sketch of its columns
   * @param filter what it keeps; null for everything
   * @param stats those of the cells that will be given
   */
  public Flattening(
      SegmentMemory target,
      KeyPrefix keyPrefix,
      boolean sketched,
      @Nullable CellFilter filter,
      SegmentStats stats) {
    this.pool = target.pool();
    this.builder = SegmentBuilders.begin(target, keyPrefix);
    this.sketch = sketched ? new DistinctSketch() : null;
    this.filter = filter;
    this.mayLeaveOut = filter != null && filter.begin(stats.deleteMarkers(), stats.maxSequence());
  }

  /** Says that the cells of another column follow. */
  public void beginColumn(long columnPrefix) {
    prefix = columnPrefix;
    beginsColumn = true;
    continues = false;
  }

  /**
   * Adds the next cell of the column, if it is kept; returns false if no further one can be.
   *
   * @param reference of the cell's record
   */
  public boolean add(int reference) {
    boolean newColumn = beginsColumn;
    beginsColumn = false;
    if (!newColumn && mayLeaveOut && filter != null && filter.hasAllVersions()) {
      return false;
    }
    ByteBuffer buffer = pool.buffer(reference);
    int position = pool.position(reference);
    int cell = CellRecord.cellOffset(position);
    int length = CellRecord.cellLength(buffer, position);
    long sequence = CellRecord.sequence(buffer, position);
    if (keeps(newColumn, buffer, cell, length, sequence)) {
      if (sketch != null && !continues) {
        sketch.add(buffer, cell);
      }
      builder.addRecordCopy(reference, prefix, continues);
      counts.add(buffer, cell, length, sequence);
      continues = true;
    }
    return true;
  }

  private boolean keeps(boolean newColumn, ByteBuffer buffer, int cell, int length, long sequence) {
    if (filter == null) {
      return true;
    }
    return newColumn
        ? filter.keepsNextColumn(buffer, cell, length, sequence)
        : filter.keepsNextVersion(buffer, cell, length, sequence);
  }

  /** Returns the segment; null when no cell was kept. */
  public @Nullable ImmutableSegment build() {
    return builder.size() == 0 ? null : builder.build(counts.stats(), sketch);
  }

  /** Gives back what was taken. */
  public void abandon() {
    builder.abandon();
  }
}
