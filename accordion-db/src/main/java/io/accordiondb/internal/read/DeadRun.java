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

  /** Where the reader has begun, until it comes to a visible cell. */
  private byte @Nullable [] sought;

  private int rows;

  /** Whether no cell of the rows is left that was not judged. */
  private boolean whole = true;

  private byte[] from = NO_BOUND;
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

  /**
   * Handles a seek.
   *
   * @param bound the first row, or the row before which a downward walk begins; empty for none
   */
  void startAt(byte[] bound) {
    end();
    sought = bound;
  }

  /**
   * Handles a row without a visible cell.
   *
   * @param row the row; nobody changes the array
   * @param judged whether all of its cells were judged
   */
  void passed(byte[] row, boolean judged) {
    if (rows == 0) {
      whole = true;
      byte[] bound = sought;
      from = bound != null ? bound.clone() : downwards ? CellKey.rowAfter(row) : row;
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

  /** Handles a row with a visible cell. */
  void stopAt(byte[] row) {
    if (rows >= ROWS_MIN) {
      add(downwards ? CellKey.rowAfter(row) : row.clone());
    }
    rows = 0;
    sought = null;
  }

  /** Handles the end of the reader. */
  void end() {
    if (rows >= ROWS_MIN) {
      add(downwards ? last : CellKey.rowAfter(last));
    }
    rows = 0;
    sought = null;
  }

  private void add(byte[] to) {
    if (deadRows != null && whole) {
      deadRows.add(downwards ? to : from, downwards ? from : to, readPoint);
    }
  }
}
