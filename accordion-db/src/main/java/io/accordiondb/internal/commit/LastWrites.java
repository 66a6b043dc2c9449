// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

/**
 * The numbers and the times of the last writes, by a hash of the row: rows that share a slot look
 * as if they were written together. Not thread-safe.
 */
final class LastWrites {
  private static final int SLOTS = 1 << 16;

  /** The number of the last write to any row of a slot. */
  private final long[] bySlot = new long[SLOTS];

  /** The latest time of a write to any row of a slot. */
  private final long[] timeBySlot = new long[SLOTS];

  /** The number of the last write to unknown rows. */
  private long toAnyRow;

  /**
   * Returns a batch that is about to be added, with a time that is not before that of an earlier
   * write to one of its rows: a batch gets its time when it is encoded, and may be overtaken before
   * it is added. Otherwise the earlier write would hide it.
   */
  Batch inOrder(Batch batch) {
    long latest = 0;
    for (int hash : batch.rowHashes()) {
      latest = Math.max(latest, timeBySlot[hash & (SLOTS - 1)]);
    }
    return latest > batch.timeMillis() ? batch.postponedTo(latest) : batch;
  }

  /** Adds a batch, given its last number. */
  void add(Batch batch, long sequence) {
    for (int hash : batch.rowHashes()) {
      int slot = hash & (SLOTS - 1);
      bySlot[slot] = sequence;
      timeBySlot[slot] = Math.max(timeBySlot[slot], batch.timeMillis());
    }
    if (batch.deletesRanges()) {
      addToAnyRow(sequence);
    }
  }

  /** Adds a write whose rows are not known. */
  void addToAnyRow(long sequence) {
    toAnyRow = sequence;
  }

  /** Returns whether any of some rows may have been written after a read point. */
  boolean isAnyAfter(long readPoint, int[] rowHashes) {
    if (toAnyRow > readPoint && rowHashes.length > 0) {
      return true;
    }
    for (int hash : rowHashes) {
      if (bySlot[hash & (SLOTS - 1)] > readPoint) {
        return true;
      }
    }
    return false;
  }
}
