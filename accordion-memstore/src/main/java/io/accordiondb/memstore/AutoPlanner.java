// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.PipelinePlan.Action;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.SegmentStats;
import java.util.List;

/**
 * Plans the in-memory work of {@link Policy#AUTO}, which goes beyond the paper. Before any merge it
 * estimates how many cells a compaction of the newest 2, 3, … segments would drop, and chooses the
 * compaction that gains most. If none gains, it merges as many segments as keep the cost of merging
 * low in the long run.
 *
 * <p>The unit of cost is copying one index entry in a merge.
 */
final class AutoPlanner {
  /** Moving a survivor: reading it and copying it, as far as that is needed. */
  private static final double COST_OF_SURVIVOR = 2;

  /** What a dropped cell saves, since the room it leaves puts off a flush to disk. */
  private static final double GAIN_OF_DROPPED = 32;

  /**
   * What a compaction may drop.
   *
   * @param versionsMax versions of a column that it keeps
   * @param settledUpTo all readers see the cells up to this sequence number
   * @param judgedUpTo cells above this sequence number are kept; at least {@code settledUpTo}
   * @param keepsLateMarkers whether delete markers between the two are kept, and puts with a time
   *     to live of their own
   */
  record Limits(int versionsMax, long settledUpTo, long judgedUpTo, boolean keepsLateMarkers) {}

  private final Limits limits;

  /** Creates a planner for one look at the pipeline. */
  AutoPlanner(Limits limits) {
    this.limits = limits;
  }

  /** Returns what to do with a pipeline that is too long, newest segment first. */
  PipelinePlan plan(List<? extends ImmutableSegment> segments) {
    int compacted = 0;
    double survivors = 1;
    double mostGain = 0;
    double mostDropped = 0;

    DistinctSketch sketch = new DistinctSketch();
    boolean sketched = true;
    long cells = 0;
    long columns = 0;
    double droppable = 0;
    for (int count = 1; count <= segments.size(); count++) {
      ImmutableSegment segment = segments.get(count - 1);
      cells += segment.cellCount();
      columns += segment.columnCount();
      droppable += droppableCells(segment.stats());
      DistinctSketch added = segment.sketch();
      sketched &= added != null;
      if (added != null) {
        sketch = sketch.union(added);
      }
      if (count == 1) {
        continue;
      }
      double different =
          sketched ? Math.min(sketch.estimate(), (double) columns) : (double) columns;
      double dropped = Math.max(0, droppable - limits.versionsMax * different);
      double gain = dropped * GAIN_OF_DROPPED - (cells - dropped) * COST_OF_SURVIVOR - cells;
      mostDropped = Math.max(mostDropped, dropped / cells);
      if (gain > mostGain) {
        mostGain = gain;
        compacted = count;
        survivors = (cells - dropped) / cells;
      }
    }
    return mostGain > 0
        ? new PipelinePlan(
            Action.COMPACT,
            compacted,
            survivors,
            "estimated yield " + PipelinePlan.percent(1 - survivors))
        : PipelinePlan.merge(
            MergeSchedule.TIERED.segmentsToMerge(segments),
            "estimated yield " + PipelinePlan.percent(mostDropped) + " is not worth its cost");
  }

  /** Returns how many cells of a segment may be dropped, if others overwrite them. */
  private double droppableCells(SegmentStats stats) {
    double settled = cellsUpTo(limits.settledUpTo, stats);
    double late = cellsUpTo(limits.judgedUpTo, stats) - settled;
    double kept = limits.keepsLateMarkers ? stats.deleteMarkers() * late / stats.cells() : 0;
    return settled + late - kept;
  }

  private static double cellsUpTo(long sequence, SegmentStats stats) {
    if (stats.maxSequence() <= sequence) {
      return stats.cells();
    }
    if (stats.minSequence() > sequence) {
      return 0;
    }
    long range = stats.maxSequence() - stats.minSequence() + 1;
    return stats.cells() * ((double) (sequence - stats.minSequence() + 1) / (double) range);
  }
}
