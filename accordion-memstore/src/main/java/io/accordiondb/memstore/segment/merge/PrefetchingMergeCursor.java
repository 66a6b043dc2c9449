// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.merge;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MemoryCursor;
import io.accordiondb.memstore.segment.PrefixCursor;
import io.accordiondb.memstore.segment.Segment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Merges the cells of several segments, mutable or immutable, into one sorted sequence, for readers
 * of a view and for disk flushes. Cells of equal key and sequence number come in the order of their
 * segments. Belongs to one thread.
 *
 * <p>There are three merges. {@link io.accordiondb.encoding.MergingCursor} also accepts files, but
 * has no key prefixes to compare and cannot load cells early. {@link ColumnMerge} compares columns
 * instead of cells and can skip the rest of a column, but only moves forwards from the first cell
 * of segments that do not change.
 *
 * <p>Cells are in memory in the order of their arrival, so each cell that a reader reaches costs a
 * wait for main memory, unless its bytes were loaded before. Therefore the cursor merges some cells
 * ahead, by the key prefixes in the indices alone, and then touches all of them, one right after
 * the other: these loads do not depend on each other, so the processor overlaps them. The cursor
 * starts with few cells, for short reads, and takes more each time.
 *
 * <p>An array holds the segments in the order of their current cells and is kept sorted by
 * insertion: there are few segments, and most steps leave the first one first.
 */
public final class PrefetchingMergeCursor implements MemoryCursor {
  private static final class Source {
    final PrefixCursor cursor;

    /** Its place among the segments given, the newest being 0. */
    final int age;

    long prefix;

    Source(PrefixCursor cursor, int age) {
      this.cursor = cursor;
      this.age = age;
    }
  }

  private static final int AHEAD_MIN = 8;
  private static final int AHEAD_MAX = 32;

  /** The distance of cache lines in bytes, or a divisor of it. */
  private static final int LINE_BYTES = 64;

  private final KeyPrefix keyPrefix;
  private final Source[] all;

  /** The sources that are on a cell, in the order of those cells; only the first {@link #live}. */
  private final Source[] order;

  private int live;

  // The cells merged ahead. Longer reads get longer arrays.
  private ByteBuffer[] buffers = new ByteBuffer[AHEAD_MIN];
  private int[] offsets = new int[AHEAD_MIN];
  private long[] sequences = new long[AHEAD_MIN];

  /** The lengths of cells that are objects; 0 for cells in a record. */
  private int[] lengths = new int[AHEAD_MIN];

  private int ahead;
  private int aheadWanted;

  /** The index of the current cell among those merged ahead; {@link #ahead} at the end. */
  private int current;

  /** Never read. Writing a field keeps the compiler from removing the loads. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /**
   * Creates a cursor that is on no cell.
   *
   * @param segments newest first
   * @param keyPrefix a map that fits most of them
   */
  public PrefetchingMergeCursor(List<Segment> segments, KeyPrefix keyPrefix) {
    this.keyPrefix = keyPrefix;
    this.all = new Source[segments.size()];
    this.order = new Source[segments.size()];
    for (int age = 0; age < all.length; age++) {
      all[age] = new Source(segments.get(age).cursor(), age);
    }
  }

  @Override
  public boolean seekToFirst() {
    live = 0;
    for (Source source : all) {
      if (source.cursor.seekToFirst()) {
        enter(source);
      }
    }
    return begin();
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) {
    live = 0;
    for (Source source : all) {
      if (source.cursor.seek(key, keyOffset)) {
        enter(source);
      }
    }
    return begin();
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) {
    Source last = null;
    for (Source source : all) {
      if (source.cursor.seekBefore(key, keyOffset)) {
        source.prefix = source.cursor.prefix(keyPrefix);
        if (last == null || isBefore(last, source)) {
          last = source;
        }
      }
    }
    live = 0;
    if (last == null) {
      return begin();
    }
    for (Source source : all) {
      if (source == last || source.cursor.seek(key, keyOffset)) {
        enter(source);
      }
    }
    return begin();
  }

  @Override
  public boolean next() {
    return ++current < ahead || mergeAhead();
  }

  private boolean begin() {
    aheadWanted = AHEAD_MIN;
    return mergeAhead();
  }

  /** Merges the next cells and moves to the first of them; returns whether there is one. */
  private boolean mergeAhead() {
    if (aheadWanted > buffers.length) {
      makeRoom();
    }
    int merged = 0;
    while (merged < aheadWanted && live > 0) {
      Source first = order[0];
      PrefixCursor cursor = first.cursor;
      // No prefix is as high as this.
      long second = live > 1 ? order[1].prefix : -1;
      boolean more;
      do {
        buffers[merged] = cursor.buffer();
        offsets[merged] = cursor.offset();
        lengths[merged] = 0;
        if (!cursor.isRecord()) {
          lengths[merged] = cursor.length();
          sequences[merged] = cursor.sequenceNumber();
        }
        merged++;
        more = cursor.next();
        if (!more) {
          break;
        }
        first.prefix = cursor.prefix(keyPrefix);
      } while (merged < aheadWanted && Long.compareUnsigned(first.prefix, second) < 0);
      if (more) {
        placeFirst();
      } else {
        live--;
        System.arraycopy(order, 1, order, 0, live);
      }
    }
    ahead = merged;
    aheadWanted = Math.min(AHEAD_MAX, 2 * aheadWanted);
    current = 0;
    touch();
    return merged > 0;
  }

  private void makeRoom() {
    offsets = new int[aheadWanted];
    sequences = new long[aheadWanted];
    lengths = new int[aheadWanted];
    // The last one, because its length tells whether there is room.
    buffers = new ByteBuffer[aheadWanted];
  }

  private void touch() {
    int sum = 0;
    for (int i = 0; i < ahead; i++) {
      if (lengths[i] == 0) {
        ByteBuffer buffer = buffers[i];
        int record = CellRecord.position(offsets[i]);
        sequences[i] = CellRecord.sequence(buffer, record);
        sum += buffer.get(Math.min(record + LINE_BYTES, buffer.limit() - 1));
      }
    }
    touched = sum;
  }

  private void placeFirst() {
    Source moved = order[0];
    int at = 0;
    while (at + 1 < live && isBefore(order[at + 1], moved)) {
      order[at] = order[at + 1];
      at++;
    }
    order[at] = moved;
  }

  private void enter(Source source) {
    source.prefix = source.cursor.prefix(keyPrefix);
    int at = live;
    while (at > 0 && isBefore(source, order[at - 1])) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = source;
    live++;
  }

  private static boolean isBefore(Source a, Source b) {
    if (a.prefix != b.prefix) {
      return Long.compareUnsigned(a.prefix, b.prefix) < 0;
    }
    MemoryCursor x = a.cursor;
    MemoryCursor y = b.cursor;
    int order =
        CellComparator.compare(
            x.buffer(), x.offset(), x.sequenceNumber(), y.buffer(), y.offset(), y.sequenceNumber());
    return order != 0 ? order < 0 : a.age < b.age;
  }

  @Override
  public boolean isValid() {
    return current < ahead;
  }

  @Override
  public ByteBuffer buffer() {
    return buffers[current];
  }

  @Override
  public int offset() {
    return offsets[current];
  }

  @Override
  public int length() {
    int length = lengths[current];
    return length != 0
        ? length
        : CellRecord.cellLength(buffers[current], CellRecord.position(offsets[current]));
  }

  @Override
  public long sequenceNumber() {
    return sequences[current];
  }
}
