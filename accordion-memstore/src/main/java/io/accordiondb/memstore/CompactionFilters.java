// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.ColumnFold;
import io.accordiondb.retention.DeletedRanges;
import io.accordiondb.retention.DeletedRangesFilter;
import io.accordiondb.retention.FoldFilter;
import io.accordiondb.retention.OlderRows;
import io.accordiondb.retention.OperandMerge;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.RetentionFilter;
import io.accordiondb.retention.UnseenHistory;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates the filters that decide which cells an in-memory compaction keeps. */
final class CompactionFilters {
  private final MemStoreEnvironment environment;
  private final Supplier<MemStoreOptions> options;
  private final CurrentSegments segments;
  private final @Nullable CompactionRules rules;
  private volatile long foreignUpTo;
  private volatile OlderRows olderRows = OlderRows.ANY;

  /**
   * Creates the filters of a store.
   *
   * @param rules the host's; null for the options' version rules
   */
  CompactionFilters(
      MemStoreEnvironment environment,
      Supplier<MemStoreOptions> options,
      CurrentSegments segments,
      @Nullable CompactionRules rules) {
    this.environment = environment;
    this.options = options;
    this.segments = segments;
    this.rules = rules;
  }

  /**
   * Sets the sequence number up to which there may be cells that were never in memory. The caller
   * makes them visible afterwards. One thread at a time may call this.
   */
  synchronized void noteForeignCells(long sequence) {
    foreignUpTo = Math.max(foreignUpTo, sequence);
  }

  /** Sets which rows may have cells outside of memory. By default every row may. */
  void setOlderRows(OlderRows rows) {
    olderRows = rows;
  }

  /**
   * Returns the filter of a compaction of neighbours in the pipeline that begins now, or null if no
   * cell may be dropped, or the host has failed to say. The next compaction asks it again.
   */
  @Nullable CellFilter newFilter(List<? extends Segment> sources) {
    try {
      return filterOf(sources);
    } catch (RuntimeException e) {
      environment.listener().onFailure(e);
      return null;
    }
  }

  /**
   * Returns the filter.
   *
   * <p>Segments of concurrent writers overlap: a writer that was overtaken adds to a newer segment
   * than writers with higher sequence numbers. So another segment may hold a marker that was
   * written between two puts of the compaction and hides the first, which then must not count
   * against the second.
   */
  private @Nullable CellFilter filterOf(List<? extends Segment> sources) {
    // Before the sources: a marker that is added later finds what has expired by now.
    long nowMillis = environment.clockMillis().getAsLong();
    ReadPointSet readPoints = environment.readers().readPoints();
    // Once: a filter must not follow later rules than the description of what it does not see.
    MemStoreOptions now = options.get();
    UnseenHistory unseen = new UnseenHistory(readPoints, now.expiry() != null);
    long first = sources.stream().mapToLong(Segment::minSequence).min().orElseThrow();
    boolean newer = true;
    RangeTombstones ranges;
    SegmentList list = segments.retain();
    try {
      // Those of the snapshot are older than all cells in the pipeline.
      ranges = list.ranges();
      for (Segment segment : list.all()) {
        if (sources.contains(segment)) {
          newer = false;
        } else if (newer) {
          unseen.addNewer(segment);
        } else {
          unseen.addOlder(segment, first);
        }
      }
    } finally {
      list.release();
    }
    unseen.addForeign(foreignUpTo);
    unseen.addApplied(ranges.maxSequence());
    OperandMerge merge = now.merge();
    CellFilter filter =
        merge != null
            ? foldFilter(merge, now, unseen, nowMillis)
            : rules == null ? versionFilter(now, unseen, nowMillis) : rules.newFilter(unseen);
    return filter == null || ranges.maxSequence() <= first
        ? filter
        : new DeletedRangesFilter(filter, DeletedRanges.NONE.and(ranges), readPoints.smallest());
  }

  private static CellFilter foldFilter(
      OperandMerge merge, MemStoreOptions now, UnseenHistory unseen, long nowMillis) {
    // Sorted tables may hold what markers hide, and what operands are applied to.
    return new FoldFilter(new ColumnFold(merge, now.versionRules(), unseen, nowMillis, 0));
  }

  /** Markers stay where another segment, or the host, may hold what they hide. */
  private CellFilter versionFilter(MemStoreOptions now, UnseenHistory unseen, long nowMillis) {
    return new RetentionFilter(now.versionRules(), now.expiry(), unseen, nowMillis, olderRows);
  }
}
