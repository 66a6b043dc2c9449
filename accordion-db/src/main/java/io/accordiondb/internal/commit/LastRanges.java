// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.retention.RangeTombstone;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The last ranges that were deleted, so that a conditional write conflicts only with those that
 * cover one of its rows. The tables of ranges do not count: to see a conflict where there is none
 * costs only another attempt. Not thread-safe.
 */
final class LastRanges {
  /** More than are deleted between the read of a conditional write and its commit. */
  private static final int KEPT = 256;

  private final RangeTombstone[] ranges = new RangeTombstone[KEPT];
  private int next;

  /** The number of the newest range; 0 if there is none. */
  private long newest;

  /** The number of the newest range that is no longer kept. */
  private long newestForgotten;

  /** Adds the ranges that a batch deletes, given the first number of the batch. */
  void add(Batch batch, long firstSequence) {
    long first = firstSequence;
    for (StoreCells group : batch.groups()) {
      if (group.deletesRanges()) {
        RangeCells.forEach(batch.payload(), group.offset(), group.cellCount(), first, this::add);
      }
      first += group.cellCount();
    }
  }

  private void add(RangeTombstone range) {
    RangeTombstone forgotten = ranges[next];
    if (forgotten != null) {
      newestForgotten = forgotten.sequence();
    }
    ranges[next] = range;
    next = (next + 1) % KEPT;
    newest = range.sequence();
  }

  /** Returns whether any range was deleted after a read point. */
  boolean isAnyAfter(long readPoint) {
    return newest > readPoint;
  }

  /** Returns whether a range may have been deleted after a read point that has a row of a batch. */
  boolean isAnyAfter(long readPoint, Batch batch) {
    if (newest <= readPoint) {
      return false;
    }
    if (newestForgotten > readPoint) {
      return true;
    }
    ByteBuffer payload = batch.payload();
    for (StoreCells group : batch.groups()) {
      int at = group.offset();
      for (int i = 0; i < group.cellCount() && !group.deletesRanges(); i++) {
        if (isCoveredAfter(readPoint, KeyValueLayout.row(payload, at))) {
          return true;
        }
        at += group.format().step(payload, at);
      }
    }
    return false;
  }

  private boolean isCoveredAfter(long readPoint, byte[] row) {
    // The newest first: only those that were deleted since the read are looked at.
    for (int i = 1; i <= KEPT; i++) {
      RangeTombstone range = ranges[(next + KEPT - i) % KEPT];
      if (range == null || range.sequence() <= readPoint) {
        return false;
      }
      if (Arrays.compareUnsigned(range.start(), row) <= 0
          && (range.end().length == 0 || Arrays.compareUnsigned(row, range.end()) < 0)) {
        return true;
      }
    }
    return false;
  }
}
