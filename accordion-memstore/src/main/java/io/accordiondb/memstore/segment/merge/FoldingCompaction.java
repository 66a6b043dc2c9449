// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.merge;

import io.accordiondb.memstore.segment.ArenaEvacuation;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentBuilder;
import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.memstore.segment.flat.FlatCursor;
import io.accordiondb.memstore.segment.flat.FlatSegmentBuilder;
import io.accordiondb.memstore.segment.merge.SegmentMerger.Outcome;
import io.accordiondb.retention.ColumnFold;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compacts segments of a family with a merge operator: it combines the operands of a column into
 * one. Unchanged cells stay in place, so it writes only new values. Belongs to one thread.
 *
 * <p>The new segment's lowest sequence number is that of its sources, because the combined operands
 * no longer have cells of their own, and the log that holds them is still needed.
 */
final class FoldingCompaction {
  private static final int NO_REFERENCE = -1;

  private final SegmentMemory memory;
  private final KeyPrefix keyPrefix;
  private final BooleanSupplier cancelled;

  /** The references of the column's cells. */
  private int[] references = new int[16];

  FoldingCompaction(SegmentMemory memory, KeyPrefix keyPrefix, BooleanSupplier cancelled) {
    this.memory = memory;
    this.keyPrefix = keyPrefix;
    this.cancelled = cancelled;
  }

  /** Does what {@link SegmentMerger#compact} does. */
  @Nullable Outcome fold(
      List<? extends ImmutableSegment> sources,
      ColumnFold fold,
      LongSupplier room,
      SegmentBuilder builder) {
    SegmentStats stats = SegmentMerger.statsOf(sources);
    SegmentCounts counts = new SegmentCounts();
    ArenaEvacuation evacuation = new ArenaEvacuation(memory.pool(), sources);
    ColumnMerge walk = new ColumnMerge(sources, keyPrefix);
    boolean staysFlat = builder instanceof FlatSegmentBuilder;
    long columns = 0;
    long prefix = 0;
    for (int step = 0; walk.isValid(); step++) {
      if (step % SegmentBuilder.CANCELLATION_STEP == 0 && cancelled.getAsBoolean()) {
        return null;
      }
      ColumnCursor cell = walk.cell();
      if (walk.isNewColumn()) {
        if (columns > 0) {
          add(fold, prefix, builder, evacuation, counts);
        }
        columns++;
        fold.startColumn();
        prefix = walk.prefix();
      }
      if (fold.size() == references.length) {
        references = Arrays.copyOf(references, 2 * references.length);
      }
      references[fold.size()] =
          staysFlat && cell instanceof FlatCursor flat ? flat.reference() : NO_REFERENCE;
      fold.add(cell.buffer(), cell.offset(), cell.length(), cell.sequenceNumber());
      walk.next();
    }
    if (columns > 0) {
      add(fold, prefix, builder, evacuation, counts);
    }
    if (!builder.settle(evacuation, room.getAsLong(), cancelled)) {
      return null;
    }
    ImmutableSegment folded =
        builder.size() == 0
            ? null
            : builder.build(
                counts.stats().withMinSequence(stats.minSequence()),
                SegmentMerger.sketchOf(sources));
    return new Outcome(folded, stats.cells(), columns);
  }

  private void add(
      ColumnFold fold,
      long prefix,
      SegmentBuilder builder,
      ArenaEvacuation evacuation,
      SegmentCounts counts) {
    fold.finish();
    for (int i = 0; i < fold.kept(); i++) {
      int length = fold.length(i);
      int reference = fold.cell(i) >= 0 ? references[fold.cell(i)] : NO_REFERENCE;
      if (reference == NO_REFERENCE) {
        builder.addInForm(fold.buffer(i), fold.offset(i), length, fold.sequence(i), prefix, i > 0);
      } else {
        evacuation.add(reference, CellRecord.bytes(length));
        builder.addRecord(reference, prefix, i > 0);
      }
      counts.add(fold.buffer(i), fold.offset(i), length, fold.sequence(i));
    }
  }
}
