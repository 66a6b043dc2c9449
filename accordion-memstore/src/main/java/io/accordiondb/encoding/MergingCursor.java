// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges cursors of any kind, over memory or files, into one sorted sequence. Readers of a store,
 * disk flushes and compactions of sorted tables use it. Belongs to one thread and owns the cursors.
 *
 * <p>There are three merges. This one requires only {@link CellCursor} of its sources, fails when
 * they fail, and is the only one that iterates downwards without a seek in every source for each
 * row. The other two merge only segments and rely on the indices of segments: {@code
 * PrefetchingMergeCursor} for upward reads of a memory store, {@code ColumnMerge} for in-memory
 * merges and compactions.
 *
 * <p>The cursors are kept in the order of their current cells by insertion: there are few of them,
 * and most steps leave the first one first. The first bytes of the rows decide most comparisons.
 */
public final class MergingCursor implements Closeable {
  /** A cursor, and the part of its current cell that was read. */
  private static final class Source {
    final CellCursor cursor;

    /** Its place among the cursors given. */
    final int place;

    /** The first eight bytes of the row, and the eight after them; zeros follow a shorter row. */
    long rowHigh;

    long rowLow;

    /** Whether the current cell is known to be the only one of its row in this source. */
    boolean isOnlyCell;

    Source(CellCursor cursor, int place) {
      this.cursor = cursor;
      this.place = place;
    }

    void read() {
      ByteBuffer buffer = cursor.buffer();
      int offset = cursor.offset();
      int row = KeyValueLayout.rowOffset(offset);
      int length = KeyValueLayout.rowLength(buffer, offset);
      rowHigh = firstBytes(buffer, row, length);
      rowLow = length > Long.BYTES ? firstBytes(buffer, row + Long.BYTES, length - Long.BYTES) : 0;
    }

    /** Reads past a short row stay inside the cell: ten bytes of key follow every row. */
    private static long firstBytes(ByteBuffer buffer, int at, int length) {
      long bytes = buffer.getLong(at);
      if (length >= Long.BYTES) {
        return bytes;
      }
      return length == 0 ? 0 : bytes & -1L << (Long.SIZE - Byte.SIZE * length);
    }

    private int compareFirstBytes(Source other) {
      return rowHigh != other.rowHigh
          ? Long.compareUnsigned(rowHigh, other.rowHigh)
          : Long.compareUnsigned(rowLow, other.rowLow);
    }

    /** Compares the rows of the cells that were read. */
    int compareRow(Source other) {
      int order = compareFirstBytes(other);
      return order != 0
          ? order
          : CellComparator.compareRows(
              cursor.buffer(), cursor.offset(), other.cursor.buffer(), other.cursor.offset());
    }

    boolean isBefore(Source other) {
      int order = compareFirstBytes(other);
      if (order != 0) {
        return order < 0;
      }
      CellCursor a = cursor;
      CellCursor b = other.cursor;
      order =
          CellComparator.compare(
              a.buffer(),
              a.offset(),
              a.sequenceNumber(),
              b.buffer(),
              b.offset(),
              b.sequenceNumber());
      return order != 0 ? order < 0 : place < other.place;
    }
  }

  private final Source[] all;

  /** The cursors that are on a cell, in the order of those cells; only the first {@link #live}. */
  private final Source[] order;

  private int live;

  /**
   * The sources of a downward walk that have not ended, each on the last cell that the walk has not
   * passed, those of higher rows first; only the first {@link #remaining}. The first {@link
   * #reached} have the row that the walk has reached; the others wait. Before a walk, all sources.
   */
  private final Source[] below;

  private int remaining;
  private int reached;

  /**
   * Whether each source of the row that a downward walk has reached is on the only cell that it has
   * of that row; {@link #next} then need not move them.
   */
  private boolean onOnlyCells;

  /**
   * Creates a cursor that is on no cell.
   *
   * @param cursors the cursors to merge, which this cursor closes; if two cells have the same key
   *     and sequence number, that of the earlier cursor comes first
   */
  public MergingCursor(List<? extends CellCursor> cursors) {
    this.all = new Source[cursors.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Source(cursors.get(i), i);
    }
    this.order = new Source[all.length];
    this.below = all.clone();
    this.remaining = all.length;
    this.reached = all.length;
  }

  /**
   * Moves to the first cell.
   *
   * @return whether there is one
   * @throws IOException if the storage fails
   */
  public boolean seekToFirst() throws IOException {
    live = 0;
    for (Source source : all) {
      if (source.cursor.seekToFirst()) {
        enter(source);
      }
    }
    return live > 0;
  }

  /**
   * Moves to the first cell at or after a key, as {@link CellCursor#seek} does. After {@link
   * #lastRowBefore} the key must be of the row that it returned, and cells behind that row may be
   * left out.
   *
   * @param key a serialised cell with the wanted key; its value is not read
   * @param keyOffset offset of the key's first byte, in bytes
   * @return whether there is one
   * @throws IOException if the storage fails
   */
  public boolean seek(ByteBuffer key, int keyOffset) throws IOException {
    live = 0;
    onOnlyCells = false;
    for (int i = 0; i < reached; i++) {
      Source source = below[i];
      source.isOnlyCell = false;
      if (source.cursor.seek(key, keyOffset)) {
        enter(source);
      }
    }
    return live > 0;
  }

  /**
   * Same as {@link #seek}, for a key behind the current cell: cursors that are already at or behind
   * the key stay where they are.
   *
   * @param key a serialised cell with the wanted key; its value is not read
   * @param keyOffset offset of the key's first byte, in bytes
   * @return whether there is such a cell
   * @throws IOException if the storage fails
   */
  public boolean seekForwards(ByteBuffer key, int keyOffset) throws IOException {
    // Each cursor moves once at most, even if a damaged file gives it a cell before the key.
    for (int left = live; left > 0 && isBefore(order[0].cursor, key, keyOffset); left--) {
      Source moved = order[0];
      if (!onOnlyCells && moved.cursor.seek(key, keyOffset)) {
        moved.read();
        placeFirst(moved);
      } else {
        dropFirst();
      }
    }
    return live > 0;
  }

  private static boolean isBefore(CellCursor cell, ByteBuffer key, int keyOffset) {
    return CellComparator.compareKeys(cell.buffer(), cell.offset(), key, keyOffset) < 0;
  }

  /**
   * Moves to the next cell. The cursor must be on a cell.
   *
   * @return whether there is a next cell
   * @throws IOException if the storage fails
   */
  public boolean next() throws IOException {
    Source moved = order[0];
    if (onOnlyCells || !moved.cursor.next()) {
      dropFirst();
      return live > 0;
    }
    if (live > 1) {
      moved.read();
      placeFirst(moved);
    }
    return true;
  }

  private void dropFirst() {
    live--;
    System.arraycopy(order, 1, order, 0, live);
  }

  private void placeFirst(Source moved) {
    int at = 0;
    while (at + 1 < live && order[at + 1].isBefore(moved)) {
      order[at] = order[at + 1];
      at++;
    }
    order[at] = moved;
  }

  /**
   * Returns the last row that has a cell before a key. Afterwards the cursor is on the first cell
   * of that row if it knows it without a seek, and else on no cell. The key of a later call must be
   * the start of the row that was returned before it.
   *
   * @param key a serialised cell with the wanted key; its value is not read
   * @param keyOffset offset of the key's first byte, in bytes
   * @return a copy of the row, or null if there is none
   * @throws IOException if the storage fails
   */
  public byte @Nullable [] lastRowBefore(ByteBuffer key, int keyOffset) throws IOException {
    live = 0;
    for (int i = reached - 1; i >= 0; i--) {
      moveDown(i, key, keyOffset);
    }
    reached = 0;
    onOnlyCells = true;
    while (reached < remaining && (reached == 0 || below[reached].compareRow(below[0]) == 0)) {
      Source source = below[reached++];
      source.isOnlyCell = source.cursor.startsRow();
      onOnlyCells &= source.isOnlyCell;
    }
    if (reached == 0) {
      return null;
    }
    for (int i = 0; onOnlyCells && i < reached; i++) {
      place(below[i]);
    }
    CellCursor highest = below[0].cursor;
    return KeyValueLayout.row(highest.buffer(), highest.offset());
  }

  /** Moves a source of a downward walk to its last row before a key, and to its place. */
  private void moveDown(int at, ByteBuffer key, int keyOffset) throws IOException {
    Source source = below[at];
    CellCursor cursor = source.cursor;
    if (source.isOnlyCell ? cursor.previous() : cursor.seekRowBefore(key, keyOffset)) {
      source.read();
      int to = at;
      while (to + 1 < remaining && below[to + 1].compareRow(source) > 0) {
        below[to] = below[to + 1];
        to++;
      }
      below[to] = source;
    } else {
      remaining--;
      System.arraycopy(below, at + 1, below, at, remaining - at);
    }
  }

  /** {@return whether the cursor is on a cell} */
  public boolean isValid() {
    return live > 0;
  }

  /** {@return the cursor that is on the current cell} The caller must not move it. */
  public CellCursor current() {
    return order[0].cursor;
  }

  @Override
  public void close() {
    for (Source source : all) {
      source.cursor.close();
    }
  }

  private void enter(Source source) {
    source.read();
    place(source);
  }

  private void place(Source source) {
    int at = live;
    while (at > 0 && source.isBefore(order[at - 1])) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = source;
    live++;
  }
}
