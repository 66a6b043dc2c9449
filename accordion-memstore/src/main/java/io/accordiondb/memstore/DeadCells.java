// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.retention.RangeTombstones;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Starts in-memory compactions when readers report that they pass cells that no reader can see. An
 * example is a queue whose head is deleted: each read of the first entry passes all deleted
 * entries. Thread-safe.
 */
final class DeadCells {
  private final CurrentSegments segments;
  private final PipelineWorker worker;
  private final LongSupplier smallestReadPoint;
  private final Consumer<MutableSegment> inMemoryFlush;

  /**
   * Creates the object for one memory store.
   *
   * @param inMemoryFlush seals an active segment and asks the worker for a run
   */
  DeadCells(
      CurrentSegments segments,
      PipelineWorker worker,
      LongSupplier smallestReadPoint,
      Consumer<MutableSegment> inMemoryFlush) {
    this.segments = segments;
    this.worker = worker;
    this.smallestReadPoint = smallestReadPoint;
    this.inMemoryFlush = inMemoryFlush;
  }

  /** Handles the report of many rows, one after another, without a visible cell. */
  void passedRows() {
    MutableSegment active = segments.get().active();
    if (active.entersPipeline() && active.deleteMarkerCount() >= PipelineWorker.DEAD_MARKERS_MIN) {
      worker.expectDeadCells(0);
      inMemoryFlush.accept(active);
    }
  }

  /**
   * Handles the report of many cells, one after another, that range tombstones cover. A compaction
   * drops them only if all readers see the tombstones; until then the report has no effect.
   */
  void passedDeleted(int cells) {
    SegmentList list = segments.get();
    RangeTombstones ranges = list.ranges();
    MutableSegment active = list.active();
    if (!active.entersPipeline()
        || ranges.isEmpty()
        || ranges.maxSequence() > smallestReadPoint.getAsLong()) {
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
