// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.retention.RangeTombstones;
import java.util.ArrayList;
import java.util.List;

/**
 * One version of what a memory store consists of: the active segment, the pipeline and the flush
 * snapshot, each newest first (section 3.3 of the paper). Immutable; a change makes a new version.
 *
 * <p>The paper reads active segment, pipeline and snapshot one after another and filters what it
 * finds twice. Here all three are in one object, so a reader gets them all with one read and finds
 * no cell twice. A version holds its segments. It starts with one holder; the last call of {@link
 * #release} releases the segments.
 */
final class SegmentList {
  private final MutableSegment active;
  private final List<Segment> pipeline;
  private final List<Segment> snapshot;
  private final RangeTombstones ranges;
  private final RangeTombstones snapshotRanges;
  private final List<Segment> all;
  private final ReferenceCount holders = new ReferenceCount();

  /**
   * Creates a version.
   *
   * @param ranges range tombstones added since the snapshot was taken
   * @param snapshotRanges those of the snapshot
   */
  SegmentList(
      MutableSegment active,
      List<Segment> pipeline,
      List<Segment> snapshot,
      RangeTombstones ranges,
      RangeTombstones snapshotRanges) {
    this.active = active;
    this.pipeline = List.copyOf(pipeline);
    this.snapshot = List.copyOf(snapshot);
    this.ranges = ranges;
    this.snapshotRanges = snapshotRanges;
    List<Segment> segments = new ArrayList<>(1 + pipeline.size() + snapshot.size());
    segments.add(active);
    segments.addAll(pipeline);
    segments.addAll(snapshot);
    this.all = List.copyOf(segments);
    // Nothing is allocated from here on, so either all segments are retained or none.
    for (int i = 0; i < all.size(); i++) {
      all.get(i).retain();
    }
  }

  /** Returns a version with other segments and the same range tombstones. */
  SegmentList with(MutableSegment newActive, List<Segment> newPipeline) {
    return new SegmentList(newActive, newPipeline, snapshot, ranges, snapshotRanges);
  }

  /** Returns a version with other range tombstones. */
  SegmentList withRanges(RangeTombstones newRanges) {
    return new SegmentList(active, pipeline, snapshot, newRanges, snapshotRanges);
  }

  /** Returns a version without a snapshot. */
  SegmentList withoutSnapshot() {
    return new SegmentList(active, pipeline, List.of(), ranges, RangeTombstones.NONE);
  }

  MutableSegment active() {
    return active;
  }

  List<Segment> pipeline() {
    return pipeline;
  }

  List<Segment> snapshot() {
    return snapshot;
  }

  /** Returns the range tombstones that were added since the snapshot was taken. */
  RangeTombstones ranges() {
    return ranges;
  }

  /** Returns the range tombstones of the snapshot. */
  RangeTombstones snapshotRanges() {
    return snapshotRanges;
  }

  /** Returns whether there is a snapshot. */
  boolean hasSnapshot() {
    return !snapshot.isEmpty() || !snapshotRanges.isEmpty();
  }

  /** Returns all segments, newest first. */
  List<Segment> all() {
    return all;
  }

  /** Returns the memory that segments hold, in bytes. */
  static long heldBytes(List<Segment> segments) {
    return segments.stream().mapToLong(Segment::heldBytes).sum();
  }

  /** Returns the memory held by what a disk flush would take, in bytes. */
  long flushableBytes() {
    return active.heldBytes() + heldBytes(pipeline) + ranges.heapBytes();
  }

  /** Returns counts over active segment and pipeline. */
  FlushableCells flushableCells() {
    long cells = active.cellCount();
    long dataBytes = active.dataBytes();
    long heldBytes = active.heldBytes();
    long heapBytes = active.heapBytes();
    for (Segment segment : pipeline) {
      cells += segment.cellCount();
      dataBytes += segment.dataBytes();
      heldBytes += segment.heldBytes();
      heapBytes += segment.heapBytes();
    }
    return new FlushableCells(cells, dataBytes, heldBytes, heapBytes);
  }

  /** Returns whether there is neither a cell nor a range tombstone. */
  boolean isEmpty() {
    return ranges.isEmpty()
        && snapshotRanges.isEmpty()
        && all.stream().allMatch(segment -> segment.cellCount() == 0);
  }

  /** Returns the lowest sequence number, {@link Long#MAX_VALUE} where there is none. */
  long oldestSequence() {
    long oldest = Math.min(ranges.minSequence(), snapshotRanges.minSequence());
    for (Segment segment : all) {
      oldest = Math.min(oldest, segment.minSequence());
    }
    return oldest;
  }

  boolean tryRetain() {
    return holders.tryRetain();
  }

  void release() {
    if (holders.release()) {
      for (int i = 0; i < all.size(); i++) {
        all.get(i).release();
      }
    }
  }
}
