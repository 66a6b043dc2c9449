// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.memstore.MemStoreView;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rows without a visible cell that one reader passes, one after another. Reports many of
 * them to the memory store, which may drop them, and to {@link DeadRows}. Belongs to one thread.
 */
final class DeadRun {
  private static final int ROWS_MIN = 64;
  private static final byte[] NO_BOUND = {};

  private final MemStoreView memory;
  private final @Nullable DeadRows deadRows;
  private final long readPoint;
  private final boolean downwards;

  /** Where the reader has begun, until it comes to a visible cell; then the first row passed. */
  private byte @Nullable [] from;

  private int rows;

  /** Whether all cells of the rows were judged. */
  private boolean whole = true;

  /** Whether the reader has passed many cells that it knew to be dead. */
  private boolean againAndAgain;

  private byte[] last = NO_BOUND;

  /**
   * Begins with no row.
   *
   * @param deadRows takes ranges of rows; null for a reader that others cannot rely on
   */
  DeadRun(MemStoreView memory, @Nullable DeadRows deadRows, long readPoint, boolean downwards) {
    this.memory = memory;
    this.deadRows = deadRows;
    this.readPoint = readPoint;
    this.downwards = downwards;
  }

  boolean isDownwards() {
    return downwards;
  }

  /**
   * Handles a seek.
   *
   * @param bound the first row, or the row before which a downward walk begins; empty for none
   */
  void startAt(byte[] bound) {
    end();
    // The caller may change its array before the reader has come to an end.
    from = deadRows == null ? null : bound.clone();
  }

  /**
   * Handles a row without a visible cell.
   *
   * @param row the row; nobody changes the array
   * @param judged whether all of its cells were judged
   */
  void passed(byte[] row, boolean judged) {
    if (from == null) {
      from = downwards ? CellKey.rowAfter(row) : row;
    }
    whole &= judged;
    last = row;
    rows++;
    if (rows == ROWS_MIN) {
      memory.noteDeadCells();
    }
  }

  /** Handles cells of one row that the reader does not see, one after another. */
  void passedCells(int count) {
    if (count >= ROWS_MIN) {
      memory.noteDeadCells();
    }
  }

  /** Handles many cells that were passed one by one although {@link DeadRows} has their rows. */
  void passedAgain() {
    memory.noteDeadCells();
    againAndAgain = true;
  }

  /** Handles a row with a visible cell. */
  void stopAt(byte[] row) {
    if (isLong()) {
      add(downwards ? CellKey.rowAfter(row) : row.clone());
    }
    begin();
  }

  /** Handles the end of the reader. Does not fail, because nobody would close the reader then. */
  void end() {
    try {
      if (rows > 0 && isLong()) {
        add(downwards ? last : CellKey.rowAfter(last));
      }
    } catch (OutOfMemoryError e) {
      // A later reader finds the rows again.
    }
    begin();
  }

  private boolean isLong() {
    return rows >= ROWS_MIN || againAndAgain;
  }

  private void begin() {
    rows = 0;
    whole = true;
    againAndAgain = false;
    from = null;
  }

  private void add(byte[] to) {
    byte[] bound = from;
    if (deadRows != null && whole && bound != null) {
      deadRows.add(downwards ? to : bound, downwards ? bound : to, readPoint);
    }
  }
}
