// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

/**
 * The numbers and the times of the last writes, by a hash of the row: rows that share a slot look
 * as if they were written together. Not thread-safe.
 */
final class LastWrites {
  private static final int SLOTS = 1 << 16;
  private static final int PIECE_SLOTS = 1 << 12;

  /**
   * For each slot, the number of the last write to any of its rows, and the latest time. In pieces,
   * because G1 gives whole regions to an array of half a region.
   */
  private final long[][] pieces = new long[SLOTS / PIECE_SLOTS][2 * PIECE_SLOTS];

  private long latestMillis;

  private final LastRanges ranges = new LastRanges();

  /** The number of the last write to unknown rows. */
  private long toAnyRow;

  /**
   * Returns a batch that is about to be added, with a time that is not before that of an earlier
   * write to one of its rows: a batch gets its time when it is encoded, and may be overtaken before
   * it is added. Otherwise the earlier write would hide it.
   */
  Batch inOrder(Batch batch) {
    if (batch.timeMillis() >= latestMillis || !batch.postponable()) {
      return batch;
    }
    long millis = 0;
    for (int hash : batch.rowHashes()) {
      millis = Math.max(millis, pieceOf(hash)[slotOf(hash) + 1]);
    }
    return millis > batch.timeMillis() ? batch.postponedTo(millis) : batch;
  }

  /** Adds a batch, given its last number. */
  void add(Batch batch, long sequence) {
    long millis = batch.timeMillis();
    latestMillis = Math.max(latestMillis, millis);
    for (int hash : batch.rowHashes()) {
      long[] slots = pieceOf(hash);
      int slot = slotOf(hash);
      slots[slot] = sequence;
      slots[slot + 1] = Math.max(slots[slot + 1], millis);
    }
    if (batch.deletesRanges()) {
      ranges.add(batch, sequence - batch.cellCount() + 1);
    }
  }

  /** Adds a write whose rows are not known. */
  void addToAnyRow(long sequence) {
    toAnyRow = sequence;
  }

  /** Returns whether any row of a batch may have been written after a read point. */
  boolean isAnyAfter(long readPoint, Batch batch) {
    return isWrittenAfter(readPoint, batch.rowHashes()) || ranges.isAnyAfter(readPoint, batch);
  }

  /** Returns whether any of some rows may have been written after a read point. */
  boolean isAnyAfter(long readPoint, int[] rowHashes) {
    return isWrittenAfter(readPoint, rowHashes)
        || (rowHashes.length > 0 && ranges.isAnyAfter(readPoint));
  }

  private boolean isWrittenAfter(long readPoint, int[] rowHashes) {
    if (toAnyRow > readPoint && rowHashes.length > 0) {
      return true;
    }
    for (int hash : rowHashes) {
      if (pieceOf(hash)[slotOf(hash)] > readPoint) {
        return true;
      }
    }
    return false;
  }

  private long[] pieceOf(int hash) {
    return pieces[(hash & (SLOTS - 1)) / PIECE_SLOTS];
  }

  private static int slotOf(int hash) {
    return (hash & (PIECE_SLOTS - 1)) << 1;
  }
}
