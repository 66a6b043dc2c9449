// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.Cell;
import io.accordiondb.CompactionFilterException;
import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.retention.CellExpiry;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.RawFilter;
import io.accordiondb.retention.VersionRules;
import io.accordiondb.retention.VisibilityFilter;
import io.accordiondb.retention.VisibilityFilter.Verdict;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one family row by row, in either direction. Belongs to one thread; must be closed before
 * the view that it reads.
 */
final class FamilyReader implements Closeable {
  /** The number of cells that are skipped one by one before a seek is tried. */
  private static final int STEPS_BEFORE_SEEK = 8;

  private final byte[] family;
  private final byte @Nullable [][] qualifiers;
  private final MergingCursor cursor;
  private final VisibilityFilter filter;

  /** What a raw scan returns; null for other reads. */
  private final @Nullable RawFilter rawFilter;

  private final @Nullable CellExpiry expiry;

  /** Whether the tags of cells matter: some may expire, or the scan is raw. */
  private final boolean judgesWhole;

  /** Whether cells are returned with all of their tags. */
  private final boolean keepsTags;

  private final DeadRun deadRun;

  /** The row that a downward walk has found last, and whether it was read, so that it goes on. */
  private byte @Nullable [] lastRow;

  private boolean entered = true;

  /**
   * Creates a reader that is not positioned.
   *
   * @param selection the store, the wanted columns, and the uncommitted cells that only this reader
   *     sees
   * @param downwards whether rows are read with {@link #lastRowBefore}; then each segment of memory
   *     is a source of its own, which keeps its position until the walk reaches it
   * @param rowOnly the only row that will be read, or null; sources without it are left out
   */
  FamilyReader(
      RegionReader.Selection selection,
      ReadOptions options,
      boolean downwards,
      @Nullable CellKey rowOnly)
      throws IOException {
    StoreView view = selection.view();
    PendingView.Rows pending = selection.pending();
    this.family = view.family().clone();
    this.qualifiers = selection.qualifiers();
    List<CellSource> segments = wanted(selection, view.memory().sources(), options, rowOnly);
    List<CellSource> tables = wanted(selection, view.tables(), options, rowOnly);
    this.expiry = view.expiry();
    this.keepsTags = options.raw() || options.allTags();
    this.judgesWhole =
        options.raw()
            || expiry != null
            || pending != null
            || anyMayExpire(segments)
            || anyMayExpire(tables);
    long readPoint = pending == null ? options.readPoint() : Long.MAX_VALUE;
    this.filter =
        new VisibilityFilter(
                view.rules(),
                expiry,
                readPoint,
                options.nowMillis(),
                options.versionsMax(),
                options.minTimestamp(),
                options.maxTimestamp())
            .sparing(PendingCells::isUndated);
    this.rawFilter = options.raw() ? options.rawFilter(readPoint) : null;
    boolean ranged = rowOnly == null && !options.raw();
    DeadRows deadRows = ranged && judgesForAll(selection, options) ? view.deadRows() : null;
    this.deadRun = new DeadRun(view.memory(), deadRows, options.readPoint(), downwards);
    // The last step, because nobody would close the cursor if another one failed.
    this.cursor =
        FamilyCursors.open(
            selection, options, segments, tables, downwards, ranged ? deadRun : null);
  }

  /**
   * Returns whether no later reader, whatever it wants, sees a cell of a row without any here. One
   * that has expired is seen again if the clock is set back.
   */
  private static boolean judgesForAll(RegionReader.Selection selection, ReadOptions options) {
    StoreView view = selection.view();
    return selection.pending() == null
        && options.wantsAllTimes()
        && view.rules().keepDeleted() == KeepDeletedCells.FALSE
        && view.rules().ttlMillis() == VersionRules.FOREVER
        && view.merge() == null
        && view.expiry() == null;
  }

  private static boolean anyMayExpire(List<CellSource> sources) {
    for (CellSource source : sources) {
      if (source.deleteMarkerCount() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Leaves out sources without wanted rows, and those too old: markers hide only older cells. */
  private static List<CellSource> wanted(
      RegionReader.Selection selection,
      List<? extends CellSource> sources,
      ReadOptions options,
      @Nullable CellKey rowOnly)
      throws IOException {
    StoreView view = selection.view();
    // In a family with a merge operator, timestamps do not decide which cell hides another.
    long minTimestamp = view.merge() == null ? options.oldestWanted(view.rules()) : Long.MIN_VALUE;
    RowRange rows = selection.rows();
    List<CellSource> wanted = new ArrayList<>(sources.size());
    for (CellSource whole : sources) {
      CellSource source = rowOnly == null ? whole.since(minTimestamp) : whole;
      if (source.maxTimestamp() >= minTimestamp
          && source.cellCount() > 0
          && (rowOnly == null
              ? source.mayContainRows(rows.first(), rows.end())
              : source.mayContainRow(rowOnly.buffer(), 0))) {
        wanted.add(source);
      }
    }
    return wanted;
  }

  /** Moves to the first cell at or after a row; returns whether there is one. */
  boolean seek(byte[] row) throws IOException {
    deadRun.startAt(row);
    return cursor.seek(CellKey.firstOfRow(row).buffer(), 0);
  }

  /** Announces a walk downwards from the row before another one; empty for the last row. */
  void startBefore(byte[] row) {
    deadRun.startAt(row);
  }

  /**
   * Returns the last row that has a cell before a key, or null. The key must be above the row that
   * was returned last, or be its start; in that case {@link #enterRow} must have entered it. A
   * reader that has failed must not be used any more.
   */
  byte @Nullable [] lastRowBefore(CellKey key) throws IOException {
    if (entered) {
      entered = false;
      lastRow = cursor.lastRowBefore(key.buffer(), 0);
    }
    return lastRow;
  }

  /** Moves to the start of a row if it is the one that {@link #lastRowBefore} has returned. */
  void enterRow(byte[] row, CellKey first) throws IOException {
    entered = Arrays.equals(row, lastRow);
    if (entered && !cursor.isValid()) {
      cursor.seek(first.buffer(), 0);
    }
  }

  /** Compares the current row with another one. A reader at its end is behind all rows. */
  int compareRow(byte[] row) {
    if (!cursor.isValid()) {
      return 1;
    }
    CellCursor cell = cursor.current();
    return CellComparator.compareRow(cell.buffer(), cell.offset(), row);
  }

  /** Returns a copy of the current row, or null at the end. */
  byte @Nullable [] currentRow() {
    if (!cursor.isValid()) {
      return null;
    }
    CellCursor cell = cursor.current();
    return KeyValueLayout.row(cell.buffer(), cell.offset());
  }

  /** Adds the visible cells of the current row, which is {@code row}, and moves to the next one. */
  void readRow(byte[] row, List<Cell> target) throws IOException {
    int before = target.size();
    readCells(row, target);
    if (target.size() > before) {
      deadRun.stopAt(row);
    } else {
      deadRun.passed(row, qualifiers == null && !filter.hasOwnExpiry());
    }
  }

  private void readCells(byte[] row, List<Cell> target) throws IOException {
    filter.startRow();
    int wanted = 0;
    int skipped = 0;
    int hidden = 0;
    boolean first = true;
    while (cursor.isValid() && (first || isIn(row))) {
      first = false;
      CellCursor cell = cursor.current();
      ByteBuffer buffer = cell.buffer();
      int offset = cell.offset();
      if (qualifiers != null) {
        while (wanted < qualifiers.length && compareQualifier(cell, qualifiers[wanted]) > 0) {
          wanted++;
          skipped = 0;
        }
        // Markers of the family have the empty qualifier, so they come before all columns.
        boolean atRowStart = KeyValueLayout.qualifierLength(buffer, offset) == 0;
        if (wanted == qualifiers.length && !atRowStart) {
          skipRow(row);
          return;
        }
        if (!atRowStart && compareQualifier(cell, qualifiers[wanted]) != 0) {
          if (++skipped < STEPS_BEFORE_SEEK) {
            cursor.next();
          } else {
            cursor.seekForwards(CellKey.firstOfColumn(row, qualifiers[wanted]).buffer(), 0);
          }
          continue;
        }
      }
      Verdict verdict =
          judgesWhole ? judgeWhole(cell) : filter.judge(buffer, offset, cell.sequenceNumber());
      if (verdict == Verdict.INCLUDE) {
        if (qualifiers == null
            || (wanted < qualifiers.length && compareQualifier(cell, qualifiers[wanted]) == 0)) {
          target.add(toCell(row, cell));
        }
        skipped = 0;
      } else if (verdict == Verdict.SKIP_COLUMN
          && (!judgesWhole || KeyValueLayout.qualifierLength(buffer, offset) > 0)
          && ++skipped >= STEPS_BEFORE_SEEK) {
        byte[] column = KeyValueLayout.qualifier(buffer, offset);
        cursor.seekForwards(CellKey.afterColumn(row, column).buffer(), 0);
        skipped = 0;
        continue;
      }
      if (verdict == Verdict.SKIP) {
        hidden++;
      }
      cursor.next();
    }
    deadRun.passedCells(hidden);
  }

  private Verdict judgeWhole(CellCursor cell) throws CompactionFilterException {
    try {
      ByteBuffer buffer = cell.buffer();
      int offset = cell.offset();
      int length = cell.length();
      if (rawFilter != null) {
        boolean returned = rawFilter.returns(buffer, offset, cell.sequenceNumber());
        return returned ? Verdict.INCLUDE : Verdict.SKIP;
      }
      return filter.judge(buffer, offset, length, cell.sequenceNumber());
    } catch (Throwable e) {
      if (expiry == null || e instanceof InternalError || e instanceof OutOfMemoryError) {
        throw e;
      }
      throw new CompactionFilterException(expiry.name(), family, e);
    }
  }

  /**
   * Moves to the newest visible value of the column without a name in the current row, which is
   * {@code row}; if there is none, moves to the next row and returns false.
   */
  boolean findValue(byte[] row) throws IOException {
    CellCursor cell = cursor.current();
    if (!judgesWhole
        && KeyValueLayout.qualifierLength(cell.buffer(), cell.offset()) == 0
        && filter.showsFirst(cell.buffer(), cell.offset(), cell.sequenceNumber())) {
      deadRun.stopAt(row);
      return true;
    }
    filter.startRow();
    Verdict verdict = Verdict.SKIP;
    int hidden = 0;
    boolean more = true;
    while (more && verdict == Verdict.SKIP) {
      cell = cursor.current();
      ByteBuffer buffer = cell.buffer();
      int offset = cell.offset();
      if (KeyValueLayout.qualifierLength(buffer, offset) > 0) {
        break;
      }
      verdict =
          judgesWhole ? judgeWhole(cell) : filter.judge(buffer, offset, cell.sequenceNumber());
      if (verdict == Verdict.INCLUDE) {
        deadRun.passedCells(hidden);
        deadRun.stopAt(row);
        return true;
      }
      hidden++;
      more = cursor.next() && isIn(row);
    }
    if (more) {
      skipRow(row);
    }
    deadRun.passedCells(hidden);
    deadRun.passed(row, !more && !filter.hasOwnExpiry());
    return false;
  }

  /** Returns a copy of the value that {@link #findValue} has found. */
  byte[] value() {
    CellCursor cell = cursor.current();
    return KeyValueLayout.value(cell.buffer(), cell.offset());
  }

  /** Returns a view of the value that {@link #findValue} has found, until the reader moves. */
  ByteBuffer valueView() {
    CellCursor cell = cursor.current();
    ByteBuffer buffer = cell.buffer();
    int offset = cell.offset();
    return buffer.slice(
        KeyValueLayout.valueOffset(buffer, offset), KeyValueLayout.valueLength(buffer, offset));
  }

  /** Moves from a cell of a row to the next row. */
  void leaveRow(byte[] row) throws IOException {
    if (cursor.next() && isIn(row)) {
      skipRow(row);
    }
  }

  @Override
  public void close() {
    deadRun.end();
    cursor.close();
  }

  private Cell toCell(byte[] row, CellCursor cell) {
    if (keepsTags) {
      return CellCopy.whole(row, family, cell);
    }
    long ttlMillis =
        judgesWhole
            ? CellTags.ttlMillis(cell.buffer(), cell.offset(), cell.length())
            : VersionRules.FOREVER;
    return CellCopy.put(row, family, cell, CellTags.ofTtl(ttlMillis));
  }

  private void skipRow(byte[] row) throws IOException {
    for (int steps = 0; cursor.isValid() && isIn(row); steps++) {
      if (steps == STEPS_BEFORE_SEEK) {
        cursor.seekForwards(CellKey.afterRow(row).buffer(), 0);
        return;
      }
      cursor.next();
    }
  }

  private boolean isIn(byte[] row) throws CorruptionException {
    int order = compareRow(row);
    if (order < 0) {
      checkDownwards();
    }
    return order == 0;
  }

  /** A walk upwards that comes to an earlier row would go round in circles. */
  private void checkDownwards() throws CorruptionException {
    if (!deadRun.isDownwards()) {
      String table = "a sorted table of family " + new String(family, StandardCharsets.UTF_8);
      throw new CorruptionException(table, 0, "rows in order", "a row before the last one");
    }
  }

  private static int compareQualifier(CellCursor cell, byte[] qualifier) {
    return CellComparator.compareQualifier(cell.buffer(), cell.offset(), qualifier);
  }
}
