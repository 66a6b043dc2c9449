// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.retention.DeletedRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the cells of another cursor that no range tombstone covers. If a tombstone is newer
 * than all cells that can follow, the cursor skips the whole range by a seek, and if it is newer
 * than all cells of a file of a level, the rest of the range in that file. It ends where only
 * deleted cells are left of the rows that its reader wants. Belongs to one thread.
 */
public final class LiveCells extends FilteringCursor {
  /**
   * If the cursor has passed fewer deleted cells one by one, it does not report them; a power of
   * two.
   */
  private static final int PASSED_MIN = 64;

  private final DeletedRanges.Walk deleted;
  private final long maxSequence;

  /** The other cursor, if its source has parts. */
  private final @Nullable PartsCursor parts;

  private final RowRange rows;
  private final IntConsumer passed;

  private LiveCells(
      CellCursor cursor,
      DeletedRanges.Walk deleted,
      long maxSequence,
      RowRange rows,
      IntConsumer passed) {
    super(cursor);
    this.deleted = deleted;
    this.maxSequence = maxSequence;
    this.parts = cursor instanceof PartsCursor parted ? parted : null;
    this.rows = rows;
    this.passed = passed;
  }

  /**
   * Returns a cursor over the cells of a source that are not deleted. It is on no cell yet.
   *
   * @param readPoint the highest sequence number of a tombstone that counts
   */
  public static CellCursor of(CellSource source, DeletedRanges deleted, long readPoint) {
    return new Opener(deleted, readPoint, RowRange.ALL).open(source, cells -> {});
  }

  /**
   * Returns a cursor over the cells of several sources that are not deleted. It is on no cell yet.
   *
   * @param readPoint the highest sequence number of a tombstone that counts
   */
  public static MergingCursor merged(
      List<CellSource> sources, DeletedRanges deleted, long readPoint) {
    List<CellCursor> opened = new ArrayList<>(sources.size());
    MergingCursor merged = null;
    try {
      for (CellSource source : sources) {
        add(opened, of(source, deleted, readPoint));
      }
      merged = new MergingCursor(opened);
      return merged;
    } finally {
      if (merged == null) {
        closeAll(opened);
      }
    }
  }

  /** Adds a cursor that was just opened, or closes it if that fails. */
  static void add(List<CellCursor> opened, CellCursor cursor) {
    boolean added = false;
    try {
      added = opened.add(cursor);
    } finally {
      if (!added) {
        cursor.close();
      }
    }
  }

  /** Closes cursors without an iterator, whose allocation could fail. */
  static void closeAll(List<CellCursor> opened) {
    for (int i = 0; i < opened.size(); i++) {
      opened.get(i).close();
    }
  }

  /**
   * Opens the cursors of a reader.
   *
   * @param readPoint the highest sequence number of a tombstone that counts
   * @param rows the rows that the reader wants
   */
  record Opener(DeletedRanges deleted, long readPoint, RowRange rows) {
    /**
     * Returns a cursor over the cells of a source that are not deleted. It is on no cell yet.
     *
     * @param passed receives a count when the cursor has passed many deleted cells one by one, and
     *     again whenever the count doubles
     */
    CellCursor open(CellSource source, IntConsumer passed) {
      if (deleted.isEmpty() || deleted.maxSequence() <= source.minSequence()) {
        return source.cursor();
      }
      DeletedRanges.Walk walk = deleted.walk(readPoint);
      CellCursor cursor = source.cursor();
      CellCursor live = null;
      try {
        live = new LiveCells(cursor, walk, source.maxSequence(), rows, passed);
        return live;
      } finally {
        if (live == null) {
          cursor.close();
        }
      }
    }
  }

  @Override
  boolean moveUp(boolean stands) throws IOException {
    int deletedCells = 0;
    boolean found = stands;
    while (found) {
      long below = deleted.deletedBelow(cursor.buffer(), cursor.offset());
      if (cursor.sequenceNumber() >= below) {
        break;
      }
      if (maxSequence < below) {
        byte[] end = deleted.newest().end();
        found =
            end.length > 0
                && !rows.endsBefore(end)
                && cursor.seek(CellKey.firstOfRow(end).buffer(), 0);
      } else if (rows.endsBefore(cursor.buffer(), cursor.offset())) {
        found = false;
      } else if (parts != null && parts.partMaxSequence() < below) {
        byte[] end = deleted.newest().end();
        CellKey key = end.length == 0 ? CellKey.END : CellKey.firstOfRow(end);
        found = parts.skip(key.buffer(), 0, below);
      } else {
        found = cursor.next();
        report(++deletedCells);
      }
    }
    return found;
  }

  private void report(int deletedCells) {
    if (deletedCells >= PASSED_MIN && Integer.bitCount(deletedCells) == 1) {
      passed.accept(deletedCells);
    }
  }

  @Override
  boolean moveBefore(ByteBuffer key, int keyOffset) throws IOException {
    return moveBefore(key, keyOffset, false);
  }

  @Override
  boolean moveRowBefore(ByteBuffer key, int keyOffset) throws IOException {
    return moveBefore(key, keyOffset, true);
  }

  private boolean moveBefore(ByteBuffer key, int keyOffset, boolean anyOfRow) throws IOException {
    int deletedRows = 0;
    ByteBuffer limit = key;
    int limitOffset = keyOffset;
    while (anyOfRow
        ? cursor.seekRowBefore(limit, limitOffset)
        : cursor.seekBefore(limit, limitOffset)) {
      long below = deleted.deletedBelow(cursor.buffer(), cursor.offset());
      if (cursor.sequenceNumber() >= below) {
        return true;
      }
      if (rows.beginsBehind(cursor.buffer(), cursor.offset())) {
        return false;
      }
      CellKey start;
      if (maxSequence < below) {
        byte[] first = deleted.newest().start();
        if (rows.beginsAtOrBehind(first)) {
          return false;
        }
        start = CellKey.firstOfRow(first);
      } else if (parts != null && parts.partMaxSequence() < below) {
        start = CellKey.firstOfRow(RowRange.higher(deleted.newest().start(), parts.partFirstRow()));
      } else {
        start = firstOfCurrentRow();
        if (seekLastLive(start, limit, limitOffset)) {
          return true;
        }
        report(++deletedRows);
      }
      limit = start.buffer();
      limitOffset = 0;
    }
    return false;
  }

  /** Moves to the last undeleted cell between two keys of a row; returns whether there is one. */
  private boolean seekLastLive(CellKey start, ByteBuffer limit, int limitOffset)
      throws IOException {
    int last = -1;
    int position = 0;
    boolean stands = cursor.seek(start.buffer(), 0);
    while (stands
        && CellComparator.compareKeys(cursor.buffer(), cursor.offset(), limit, limitOffset) < 0) {
      if (cursor.sequenceNumber() >= deleted.deletedBelow(cursor.buffer(), cursor.offset())) {
        last = position;
      }
      position++;
      stands = cursor.next();
    }
    if (last < 0) {
      return false;
    }
    cursor.seek(start.buffer(), 0);
    for (int i = 0; i < last; i++) {
      cursor.next();
    }
    return true;
  }

  private CellKey firstOfCurrentRow() {
    return CellKey.firstOfRow(KeyValueLayout.row(cursor.buffer(), cursor.offset()));
  }
}
