// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.read.PendingCells.Family;
import io.accordiondb.internal.read.PendingCells.Position;
import java.nio.ByteBuffer;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * A view of {@link PendingCells} at one moment, without the cells that were truncated since.
 * Belongs to the thread of their writer.
 */
public final class PendingView {
  private static final byte[] EMPTY = {};

  private final PendingCells cells;
  private final long sequenceMax;

  PendingView(PendingCells cells, long sequenceMax) {
    this.cells = cells;
    this.sequenceMax = sequenceMax;
  }

  /** Some rows of a family, of which at least one has cells. */
  public static final class Rows {
    private final NavigableSet<Position> cells;
    private final long sequenceMax;

    private Rows(NavigableSet<Position> cells, long sequenceMax) {
      this.cells = cells;
      this.sequenceMax = sequenceMax;
    }

    CellCursor cursor() {
      return new PendingCursor(cells, sequenceMax);
    }
  }

  /**
   * Returns a number that changes when cells are removed: a reader may then stand on one of them.
   */
  public long truncations() {
    return cells.truncations();
  }

  /**
   * Returns the rows of a range; null if none of them has a cell.
   *
   * @param first the first row; empty for all from the beginning
   * @param end the row before which the range ends; empty for all to the end
   */
  public @Nullable Rows rows(Family family, byte[] first, byte[] end) {
    NavigableSet<Position> found = cells.cellsOf(family);
    if (first.length > 0) {
      found = found.tailSet(keyOf(CellKey.firstOfRow(first)), true);
    }
    if (end.length > 0) {
      found = found.headSet(keyOf(CellKey.firstOfRow(end)), false);
    }
    return found.isEmpty() ? null : new Rows(found, sequenceMax);
  }

  /** Returns whether the timestamp of the put that the view shows is a placeholder. */
  public boolean isUndated(Family family, byte[] row, byte[] qualifier, long timestamp) {
    ByteBuffer key = ByteBuffer.allocate(KeyValueLayout.length(row.length, 0, qualifier.length, 0));
    KeyValueLayout.write(
        key, 0, row, EMPTY, qualifier, timestamp, CellType.PUT.code() & 0xFF, EMPTY);
    NavigableSet<Position> all = cells.cellsOf(family);
    Position newest = all.ceiling(new Position(key, 0, sequenceMax, false));
    return newest != null
        && newest.undated()
        && CellComparator.compareKeys(newest.buffer(), 0, key, 0) == 0;
  }

  private static Position keyOf(CellKey key) {
    return new Position(key.buffer(), 0, Long.MAX_VALUE, false);
  }
}
