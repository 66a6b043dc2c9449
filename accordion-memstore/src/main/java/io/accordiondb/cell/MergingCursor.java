// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cell;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several cursors as one sorted sequence. Belongs to one thread and owns the cursors.
 *
 * <p>The cursors are kept in the order of their current cells by insertion: there are few of them,
 * and most steps leave the first one first.
 */
public final class MergingCursor implements Closeable {
  private final CellCursor[] all;

  /**
   * The cursors that stand on a cell, in the order of those cells; only the first {@link #live}.
   */
  private final CellCursor[] order;

  private int live;

  /** Creates a cursor that stands on no cell. */
  public MergingCursor(List<? extends CellCursor> cursors) {
    this.all = cursors.toArray(new CellCursor[0]);
    this.order = new CellCursor[all.length];
  }

  /** Moves to the first cell; returns whether there is one. */
  public boolean seekToFirst() throws IOException {
    live = 0;
    for (CellCursor cursor : all) {
      if (cursor.seekToFirst()) {
        enter(cursor);
      }
    }
    return live > 0;
  }

  /** Moves to the first cell at or after a key, as {@link CellCursor#seek} does. */
  public boolean seek(ByteBuffer key, int keyOffset) throws IOException {
    live = 0;
    for (CellCursor cursor : all) {
      if (cursor.seek(key, keyOffset)) {
        enter(cursor);
      }
    }
    return live > 0;
  }

  /** Moves to the next cell; returns whether there is one. The cursor stands on a cell. */
  public boolean next() throws IOException {
    CellCursor moved = order[0];
    boolean more = moved.next();
    int at = 0;
    if (more) {
      while (at + 1 < live && isBefore(order[at + 1], moved)) {
        order[at] = order[at + 1];
        at++;
      }
      order[at] = moved;
      return true;
    }
    live--;
    System.arraycopy(order, 1, order, 0, live);
    return live > 0;
  }

  /**
   * Returns the last row that has a cell before a key, or null. Afterwards the cursor stands on no
   * cell.
   */
  public byte @Nullable [] lastRowBefore(ByteBuffer key, int keyOffset) throws IOException {
    live = 0;
    CellCursor last = null;
    for (CellCursor cursor : all) {
      if (cursor.seekBefore(key, keyOffset)
          && (last == null
              || CellComparator.compareRows(
                      cursor.buffer(), cursor.offset(), last.buffer(), last.offset())
                  > 0)) {
        last = cursor;
      }
    }
    if (last == null) {
      return null;
    }
    byte[] row = new byte[KeyValueLayout.rowLength(last.buffer(), last.offset())];
    last.buffer().get(KeyValueLayout.rowOffset(last.offset()), row);
    return row;
  }

  /** Returns whether the cursor stands on a cell. */
  public boolean isValid() {
    return live > 0;
  }

  /** Returns the cursor that stands on the current cell; not to be moved. */
  public CellCursor current() {
    return order[0];
  }

  @Override
  public void close() {
    for (CellCursor cursor : all) {
      cursor.close();
    }
  }

  private void enter(CellCursor cursor) {
    int at = live;
    while (at > 0 && isBefore(cursor, order[at - 1])) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = cursor;
    live++;
  }

  private static boolean isBefore(CellCursor a, CellCursor b) {
    return CellComparator.compare(
            a.buffer(), a.offset(), a.sequenceNumber(), b.buffer(), b.offset(), b.sequenceNumber())
        < 0;
  }
}
