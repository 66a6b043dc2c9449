// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.memstore.segment.Segment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks the oldest sequence number that is only in memory, by which the host truncates its log
 * (section 3.2 of the paper, "WAL Truncation"), and notifies the listener when it rises.
 * Thread-safe.
 *
 * <p>An in-memory compaction may drop a logged cell because of an unlogged one. So while unlogged
 * cells are in memory, the number stays where it was before the first of them.
 */
final class OldestSequence {
  private final CurrentSegments segments;
  private final MemStoreListener listener;

  /** The highest value that the listener knows. */
  private final AtomicLong told = new AtomicLong();

  /** The highest sequence number of cells that have left memory. */
  private final AtomicLong highestGone = new AtomicLong();

  /** Where the number is held because of unlogged cells in active segment and pipeline. */
  private volatile long heldFrom = Long.MAX_VALUE;

  /** The same because of unlogged cells in the snapshot. */
  private volatile long snapshotHeldFrom = Long.MAX_VALUE;

  private volatile long snapshotGoneUpTo;

  OldestSequence(CurrentSegments segments, MemStoreListener listener) {
    this.segments = segments;
    this.listener = listener;
  }

  /** Returns it, or {@link Long#MAX_VALUE} where there is no cell. */
  long get() {
    long oldest = segments.ask(SegmentList::oldestSequence);
    // Read after the segments: what an unlogged cell has displaced there was held before.
    return Math.min(oldest, Math.min(heldFrom, snapshotHeldFrom));
  }

  /**
   * Holds the number because of unlogged cells that are about to be added.
   *
   * @param nextSequence all writes below this are in memory already
   */
  void hold(long nextSequence) {
    if (heldFrom == Long.MAX_VALUE) {
      synchronized (this) {
        heldFrom = Math.min(heldFrom, Math.min(get(), nextSequence));
      }
    }
  }

  /** Notes that all unlogged cells are in the snapshot now. The host keeps writers away. */
  synchronized void moveToSnapshot() {
    snapshotHeldFrom = Math.min(snapshotHeldFrom, heldFrom);
    heldFrom = Long.MAX_VALUE;
    snapshotGoneUpTo = highestGone.get();
  }

  /**
   * Returns up to which sequence number cells had left memory, without a trace of an unlogged one
   * that has displaced a logged one, when the snapshot was taken; 0 if there were no unlogged ones.
   */
  long snapshotGoneUpTo() {
    return snapshotHeldFrom == Long.MAX_VALUE ? 0 : snapshotGoneUpTo;
  }

  /** Notes that the snapshot is gone. */
  void releaseSnapshot() {
    snapshotHeldFrom = Long.MAX_VALUE;
  }

  /** Notes that cells up to a sequence number leave memory. */
  void noteGone(long maxSequence) {
    highestGone.accumulateAndGet(maxSequence, Math::max);
  }

  /** Notes segments whose cells leave memory, before they do. */
  void noteGone(List<? extends Segment> gone) {
    for (Segment segment : gone) {
      noteGone(segment.maxSequence());
    }
  }

  /** Tells the listener if it has risen. */
  void check() {
    long oldest = get();
    if (oldest == Long.MAX_VALUE) {
      // An empty store may get any number above those that it had.
      oldest = highestGone.get() + 1;
    }
    long before = told.getAndAccumulate(oldest, Math::max);
    if (oldest > before) {
      listener.onOldestSequence(oldest);
    }
  }
}
