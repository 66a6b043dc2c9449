// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.merge;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentStats;
import java.util.List;
import java.util.function.Consumer;

/**
 * Merges the cells of several immutable segments into one sorted sequence, column by column, for
 * in-memory merges and compactions. Belongs to one thread.
 *
 * <p>There are three merges. Only this one knows which source a cell comes from and where columns
 * begin, and can skip the rest of a column. It cannot seek; readers use {@link
 * PrefetchingMergeCursor}, and {@link io.accordiondb.encoding.MergingCursor} where there are files.
 *
 * <p>It proceeds from column to column. The indices say where columns begin, so it compares the
 * columns of two segments once, not their versions. Where the timestamps of two segments do not
 * overlap, all versions of a column in the newer segment precede those in the older one. So a
 * workload that overwrites the same keys, for which merging pays most, touches few cells.
 *
 * <p>An array holds the segments in the order of their columns and is kept sorted by insertion:
 * there are few segments, and most steps leave the first one first.
 */
final class ColumnMerge {
  /** A segment and the position in it. */
  private static final class Source {
    final ColumnCursor cursor;

    /** Its place among the segments given, the newest being 0. */
    final int age;

    long prefix;

    /** Whether the next source in the order is at the same column. */
    boolean tied;

    Source(ColumnCursor cursor, int age) {
      this.cursor = cursor;
      this.age = age;
    }
  }

  private final KeyPrefix keyPrefix;

  /** By age: whether all versions in the first segment precede all in the second. */
  private final boolean[][] precedes;

  /** In the order of their columns; only the first {@link #live} have a cell. */
  private final Source[] order;

  private int live;

  /**
   * The number of sources at the current column. They come first, in the order of their current
   * versions.
   */
  private int members;

  private boolean newColumn;

  /**
   * Begins at the first cell.
   *
   * @param segments newest first
   * @param keyPrefix the map of prefixes to return
   */
  ColumnMerge(List<? extends ImmutableSegment> segments, KeyPrefix keyPrefix) {
    this.keyPrefix = keyPrefix;
    this.precedes = precedences(segments);
    this.order = new Source[segments.size()];
    for (int age = 0; age < segments.size(); age++) {
      Source source = new Source(segments.get(age).cursor(), age);
      if (source.cursor.seekToFirst()) {
        source.prefix = source.cursor.prefix(keyPrefix);
        System.arraycopy(order, 0, order, 1, live);
        order[0] = source;
        live++;
        placeFirst();
      }
    }
    startColumn();
  }

  private static boolean[][] precedences(List<? extends ImmutableSegment> segments) {
    int count = segments.size();
    boolean[][] precedes = new boolean[count][count];
    for (int newer = 0; newer < count; newer++) {
      SegmentStats a = segments.get(newer).stats();
      for (int older = newer + 1; older < count; older++) {
        SegmentStats b = segments.get(older).stats();
        // At equal timestamps, markers come before puts, whenever they were written.
        boolean onlyPuts = a.deleteMarkers() == 0 && b.deleteMarkers() == 0;
        precedes[newer][older] =
            a.minTimestamp() > b.maxTimestamp()
                || (onlyPuts
                    && a.minTimestamp() == b.maxTimestamp()
                    && a.minSequence() > b.maxSequence());
      }
    }
    return precedes;
  }

  /** Returns whether the merge is on a cell. */
  boolean isValid() {
    return live > 0;
  }

  /** Returns the cursor that is on the current cell. The caller must not move it. */
  ColumnCursor cell() {
    return order[0].cursor;
  }

  /** Returns the key prefix of the current cell. */
  long prefix() {
    return order[0].prefix;
  }

  /** Returns whether the current cell is the first of its column. */
  boolean isNewColumn() {
    return newColumn;
  }

  /** Moves to the next cell. */
  void next() {
    Source moved = order[0];
    newColumn = false;
    if (!moved.cursor.next()) {
      removeFirst();
    } else if (!moved.cursor.continuesColumn()) {
      leaveColumn(moved);
    } else if (members > 1) {
      placeVersion(0);
    }
    if (members == 0) {
      startColumn();
    }
  }

  /** Moves to the first cell of the next column. */
  void nextColumn() {
    nextColumn(cell -> {});
  }

  /**
   * Moves to the first cell of the next column.
   *
   * @param leftOut receives each skipped cell, in any order; it must not move the cursor
   */
  void nextColumn(Consumer<ColumnCursor> leftOut) {
    boolean current = true;
    while (members > 0) {
      Source moved = order[0];
      if (!current) {
        leftOut.accept(moved.cursor);
      }
      current = false;
      boolean more = moved.cursor.next();
      while (more && moved.cursor.continuesColumn()) {
        leftOut.accept(moved.cursor);
        more = moved.cursor.next();
      }
      if (more) {
        leaveColumn(moved);
      } else {
        removeFirst();
      }
    }
    startColumn();
  }

  private void removeFirst() {
    live--;
    members--;
    System.arraycopy(order, 1, order, 0, live);
  }

  private void leaveColumn(Source moved) {
    moved.prefix = moved.cursor.prefix(keyPrefix);
    members--;
    placeFirst();
  }

  /** Moves the first source to where its column belongs, behind those at the current column. */
  private void placeFirst() {
    Source placed = order[0];
    int at = 0;
    while (at < members) {
      order[at] = order[at + 1];
      at++;
    }
    int comparison = 1;
    while (comparison > 0 && at + 1 < live) {
      comparison = compareColumns(placed, order[at + 1]);
      boolean passes = comparison > 0;
      while (passes) {
        order[at] = order[at + 1];
        passes = order[at].tied;
        at++;
      }
    }
    placed.tied = comparison == 0;
    order[at] = placed;
  }

  private void startColumn() {
    newColumn = true;
    members = Math.min(live, 1);
    while (members > 0 && order[members - 1].tied) {
      members++;
    }
    int at = members - 1;
    while (at > 0) {
      at--;
      placeVersion(at);
    }
  }

  /** Moves a source among those at the current column to where its version belongs. */
  private void placeVersion(int from) {
    Source placed = order[from];
    int at = from;
    while (at + 1 < members && isNewer(order[at + 1], placed)) {
      order[at] = order[at + 1];
      at++;
    }
    order[at] = placed;
  }

  private static int compareColumns(Source a, Source b) {
    if (a.prefix != b.prefix) {
      return Long.compareUnsigned(a.prefix, b.prefix);
    }
    return CellComparator.compareColumns(
        a.cursor.buffer(), a.cursor.offset(), b.cursor.buffer(), b.cursor.offset());
  }

  private boolean isNewer(Source a, Source b) {
    if (precedes[a.age][b.age]) {
      return true;
    }
    if (precedes[b.age][a.age]) {
      return false;
    }
    ColumnCursor x = a.cursor;
    ColumnCursor y = b.cursor;
    int order =
        Long.compare(
            KeyValueLayout.timestamp(y.buffer(), y.offset()),
            KeyValueLayout.timestamp(x.buffer(), x.offset()));
    if (order == 0) {
      order =
          Integer.compare(
              KeyValueLayout.typeCode(y.buffer(), y.offset()),
              KeyValueLayout.typeCode(x.buffer(), x.offset()));
    }
    if (order == 0) {
      order = Long.compare(y.sequenceNumber(), x.sequenceNumber());
    }
    return order != 0 ? order < 0 : a.age < b.age;
  }
}
