// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.Readers;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Starts in-memory compactions when readers report that they pass cells that a compaction may drop
 * or combine. In a queue, each read of the first entry passes all entries that were deleted; each
 * read of a counter passes all operands. Thread-safe.
 */
final class DeadCells {
  /** Each sealed segment leads to merges, which copy the whole pipeline now and then. */
  private static final int PIPELINE_CELLS_PER_MARKER_MAX = 256;

  private final CurrentSegments segments;
  private final PipelineWorker worker;
  private final Readers readers;
  private final Supplier<MemStoreOptions> options;
  private final Consumer<MutableSegment> inMemoryFlush;

  /**
   * Creates the object for one memory store.
   *
   * @param inMemoryFlush seals an active segment and asks the worker for a run
   */
  DeadCells(
      CurrentSegments segments,
      PipelineWorker worker,
      Readers readers,
      Supplier<MemStoreOptions> options,
      Consumer<MutableSegment> inMemoryFlush) {
    this.segments = segments;
    this.worker = worker;
    this.readers = readers;
    this.options = options;
    this.inMemoryFlush = inMemoryFlush;
  }

  /** Handles the report of many cells, one after another, that have nothing to show. */
  void passed() {
    SegmentList list = segments.get();
    MutableSegment active = list.active();
    if (active.entersPipeline()
        && active.deleteMarkerCount() >= markersMin(list)
        && active.minSequence() <= droppedUpTo()) {
      worker.expectDeadCells(0);
      inMemoryFlush.accept(active);
    }
  }

  /** Returns the sequence number up to which cells that readers pass are dropped or combined. */
  private long droppedUpTo() {
    // Delete markers that some readers do not see are kept, operands are combined.
    return options.get().merge() == null
        ? readers.smallestReadPoint()
        : readers.readPoints().newest();
  }

  private static long markersMin(SegmentList list) {
    long cells = list.pipeline().stream().mapToLong(Segment::cellCount).sum();
    return Math.max(PipelineWorker.DEAD_MARKERS_MIN, cells / PIPELINE_CELLS_PER_MARKER_MAX);
  }

  /**
   * Handles the report of many cells, one after another, that range tombstones cover, or that the
   * host knows to be dead. A compaction drops the former only if all readers see the tombstones;
   * until then the report has no effect.
   */
  void passedDeleted(int cells) {
    SegmentList list = segments.get();
    RangeTombstones ranges = list.ranges();
    if (ranges.isEmpty()) {
      passed();
      return;
    }
    MutableSegment active = list.active();
    if (!active.entersPipeline() || ranges.maxSequence() > readers.smallestReadPoint()) {
      return;
    }
    worker.expectDeadCells(cells);
    if (active.cellCount() >= cells) {
      inMemoryFlush.accept(active);
    } else {
      worker.request();
    }
  }
}
