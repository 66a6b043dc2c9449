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

  /**
   * The value at which the number is held because of unlogged cells in active segment and pipeline.
   */
  private volatile long heldFrom = Long.MAX_VALUE;

  /** The same because of unlogged cells in the snapshot. */
  private volatile long snapshotHeldFrom = Long.MAX_VALUE;

  private volatile long snapshotGoneUpTo;

  OldestSequence(CurrentSegments segments, MemStoreListener listener) {
    this.segments = segments;
    this.listener = listener;
  }

  /** Returns the number, or {@link Long#MAX_VALUE} if there is no cell. */
  long get() {
    long oldest = segments.ask(SegmentList::oldestSequence);
    // Read after the segments: a number is held before an unlogged cell can displace anything
    // there.
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
   * Returns the sequence number up to which cells had left memory when the snapshot was taken,
   * among them logged cells that unlogged ones displaced; 0 if there were no unlogged cells.
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

  /** Notifies the listener if the number has risen. */
  void check() {
    // Read before the segments. Flattening notes cells as gone, too, so a number that is read later
    // may be that of a cell that was added since and is still in memory.
    long gone = highestGone.get();
    long oldest = get();
    if (oldest == Long.MAX_VALUE) {
      // The next cell of an empty store may have any number above those that the store had.
      oldest = gone + 1;
    }
    long before = told.getAndAccumulate(oldest, Math::max);
    if (oldest > before) {
      listener.onOldestSequence(oldest);
    }
  }
}
