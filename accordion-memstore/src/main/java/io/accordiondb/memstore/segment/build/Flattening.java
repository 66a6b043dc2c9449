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
import io.accordiondb.retention.ColumnFold;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Builds an immutable segment from the cells of a sealed one. It receives the cells in order and
 * copies them. So the cells of an immutable segment are in memory in the order in which they are
 * read, and dropped cells free their memory. If keys are skewed, most of these are overwritten
 * versions. The copy is cheap, because an active segment fits the processor's cache. Belongs to one
 * thread; ends with {@link #build} or {@link #abandon}.
 */
public final class Flattening {
  private final ChunkPool pool;
  private final SegmentBuilder builder;
  private final @Nullable DistinctSketch sketch;
  private final @Nullable CellFilter filter;
  private final boolean mayLeaveOut;
  private final SegmentCounts counts = new SegmentCounts();
  private final SegmentStats stats;

  /** Decides column by column; null if the filter decides cell by cell. */
  private final @Nullable ColumnFold fold;

  /** The cells of the column that the fold was given. */
  private int[] references = new int[16];

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
   * @param stats counts of the cells that will be added
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
    this.stats = stats;
    this.fold = filter == null ? null : filter.columnFold();
    this.mayLeaveOut =
        filter != null && fold == null && filter.begin(stats.deleteMarkers(), stats.maxSequence());
  }

  /** Begins another column, whose cells follow. */
  public void beginColumn(long columnPrefix) {
    if (fold != null) {
      endColumn(fold);
    }
    prefix = columnPrefix;
    beginsColumn = true;
    continues = false;
  }

  /**
   * Adds the next cell of the column if it is kept; returns false if no further cell of the column
   * can be kept.
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
    if (fold != null) {
      if (fold.size() == references.length) {
        references = Arrays.copyOf(references, 2 * references.length);
      }
      references[fold.size()] = reference;
      fold.add(buffer, cell, length, sequence);
      return true;
    }
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

  /** Adds the cells that a fold keeps of the column that ends. */
  private void endColumn(ColumnFold folded) {
    if (folded.size() > 0) {
      folded.finish();
      for (int i = 0; i < folded.kept(); i++) {
        ByteBuffer buffer = folded.buffer(i);
        int cell = folded.offset(i);
        int length = folded.length(i);
        long sequence = folded.sequence(i);
        if (sketch != null && i == 0) {
          sketch.add(buffer, cell);
        }
        if (folded.cell(i) >= 0) {
          builder.addRecordCopy(references[folded.cell(i)], prefix, i > 0);
        } else {
          builder.addCopy(buffer, cell, length, sequence, prefix, i > 0);
        }
        counts.add(buffer, cell, length, sequence);
      }
    }
    folded.startColumn();
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
    if (fold != null) {
      endColumn(fold);
    }
    if (builder.size() == 0) {
      return null;
    }
    SegmentStats kept = counts.stats();
    return builder.build(fold == null ? kept : kept.withMinSequence(stats.minSequence()), sketch);
  }

  /** Releases everything that was allocated. */
  public void abandon() {
    builder.abandon();
  }
}
