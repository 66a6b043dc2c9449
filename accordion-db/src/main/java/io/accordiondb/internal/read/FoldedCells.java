// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.MergeOperatorException;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.OperandMerge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Presents the columns of a family with a merge operator to a reader: one put for each column that
 * has a value, which is the result of all operands up to the read point. Belongs to one thread.
 *
 * <p>Sequence numbers give the order of writes, whatever the timestamps: the newest put or delete
 * marker hides everything that was written before it, and the later operands are applied to it. An
 * expired operand is ignored. The put has the timestamp of the newest operand.
 *
 * <p>A caller may seek to the bounds of rows and columns, not to a version of a column.
 */
final class FoldedCells implements CellCursor {
  private static final byte[] EMPTY = {};
  private static final long NONE = -1;

  /** The number of unwanted cells that are passed one by one before a seek is tried. */
  private static final int STEPS_BEFORE_SEEK = 8;

  /** This many operands of one column justify a compaction, which combines them. */
  private static final int OPERANDS_MAX = 64;

  /** An operand or a put, with its tags but for their length. */
  private record Written(long sequence, long timestamp, byte[] value, byte[] tags) {}

  private final MergingCursor cells;
  private final MemStoreView memory;
  private final OperandMerge merge;
  private final byte[] family;
  private final byte @Nullable [][] qualifiers;
  private final long readPoint;
  private final long oldestLiveTimestamp;

  /** The key of the column that was read last, as a put without a value. */
  private ByteBuffer column = CellKey.firstOfRow(EMPTY).buffer();

  private boolean anyColumn;

  /** The newest marker of the family in the row of {@link #column}. */
  private long familyMarker = NONE;

  /** The row that a downward walk has reached; cells behind it are left out. */
  private byte @Nullable [] lastRow;

  private final List<Written> operands = new ArrayList<>();
  private @Nullable ByteBuffer current;
  private long currentSequence;

  /**
   * Creates a cursor that owns another one.
   *
   * @param view the store
   * @param qualifiers the columns wanted; null for all
   * @param readPoint the highest sequence number that the reader sees
   * @param nowMillis the time against which the time to live counts
   */
  FoldedCells(
      MergingCursor cells,
      StoreView view,
      OperandMerge merge,
      byte @Nullable [][] qualifiers,
      long readPoint,
      long nowMillis) {
    this.cells = cells;
    this.memory = view.memory();
    this.merge = merge;
    this.family = view.family();
    this.qualifiers = qualifiers;
    this.readPoint = readPoint;
    this.oldestLiveTimestamp = view.rules().oldestLiveTimestamp(nowMillis);
  }

  @Override
  public boolean seekToFirst() throws IOException {
    cells.seekToFirst();
    return next();
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) throws IOException {
    cells.seek(key, keyOffset);
    return next();
  }

  /** The key of a later call must be the start of the row that was found before it. */
  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) throws IOException {
    byte[] row = cells.lastRowBefore(key, keyOffset);
    while (row != null) {
      lastRow = row;
      CellKey first = CellKey.firstOfRow(row);
      if (seekLastBefore(first, key, keyOffset)) {
        return true;
      }
      row = cells.lastRowBefore(first.buffer(), 0);
    }
    current = null;
    return false;
  }

  /** Moves to the last cell between two keys of a row; returns whether there is one. */
  private boolean seekLastBefore(CellKey first, ByteBuffer key, int keyOffset) throws IOException {
    ByteBuffer last = null;
    long lastSequence = 0;
    boolean more = seek(first.buffer(), 0);
    while (more && CellComparator.compareKeys(buffer(), 0, key, keyOffset) < 0) {
      last = current;
      lastSequence = currentSequence;
      more = next();
    }
    current = last;
    currentSequence = lastSequence;
    return last != null;
  }

  @Override
  public boolean next() throws IOException {
    current = null;
    while (current == null && cells.isValid() && !isBehindLastRow()) {
      foldColumn();
    }
    return current != null;
  }

  private boolean isBehindLastRow() {
    CellCursor cell = cells.current();
    return lastRow != null && CellComparator.compareRow(cell.buffer(), cell.offset(), lastRow) > 0;
  }

  /** Reads the cells of the next column and sets the current cell, if the column has a value. */
  private void foldColumn() throws IOException {
    startColumn();
    boolean wanted = isWanted();
    if (!wanted && KeyValueLayout.qualifierLength(column, 0) > 0) {
      skipUnwanted();
      return;
    }
    operands.clear();
    Written put = null;
    long marker = NONE;
    boolean more = true;
    while (more) {
      CellCursor cell = cells.current();
      long sequence = cell.sequenceNumber();
      int typeCode = KeyValueLayout.typeCode(cell.buffer(), cell.offset());
      if (sequence <= readPoint) {
        if (typeCode == CellType.DELETE_FAMILY.code()) {
          familyMarker = Math.max(familyMarker, sequence);
        } else if (typeCode != CellType.PUT.code() && typeCode != CellType.MERGE.code()) {
          marker = Math.max(marker, sequence);
        } else if (wanted && typeCode == CellType.MERGE.code()) {
          addOperand(cell, sequence);
        } else if (wanted && (put == null || sequence > put.sequence)) {
          put = written(cell, sequence);
        }
      }
      more =
          cells.next()
              && CellComparator.compareColumns(
                      cells.current().buffer(), cells.current().offset(), column, 0)
                  == 0;
    }
    if (operands.size() >= OPERANDS_MAX) {
      memory.noteDeadCells();
    }
    if (wanted) {
      fold(put, Math.max(marker, familyMarker));
    }
  }

  private void startColumn() {
    CellCursor cell = cells.current();
    if (!anyColumn || CellComparator.compareRows(cell.buffer(), cell.offset(), column, 0) != 0) {
      familyMarker = NONE;
    }
    anyColumn = true;
    column = KeyValueLayout.withValue(cell.buffer(), cell.offset(), CellType.PUT.code(), EMPTY);
  }

  private boolean isWanted() {
    if (qualifiers == null) {
      return true;
    }
    for (byte[] qualifier : qualifiers) {
      if (CellComparator.compareQualifier(column, 0, qualifier) == 0) {
        return true;
      }
    }
    return false;
  }

  /** Leaves a column that is not wanted, and those behind it, up to the next wanted one. */
  private void skipUnwanted() throws IOException {
    ByteBuffer next = nextWanted().buffer();
    for (int steps = 0; cells.isValid() && isBefore(cells.current(), next); steps++) {
      if (steps == STEPS_BEFORE_SEEK) {
        cells.seekForwards(next, 0);
        return;
      }
      cells.next();
    }
  }

  private static boolean isBefore(CellCursor cell, ByteBuffer key) {
    return CellComparator.compareKeys(cell.buffer(), cell.offset(), key, 0) < 0;
  }

  /** Returns where the next wanted column of the row begins, or the end of the row. */
  private CellKey nextWanted() {
    byte[] row = KeyValueLayout.row(column, 0);
    for (byte[] qualifier : Objects.requireNonNull(qualifiers)) {
      if (CellComparator.compareQualifier(column, 0, qualifier) < 0) {
        return CellKey.firstOfColumn(row, qualifier);
      }
    }
    return CellKey.afterRow(row);
  }

  /** Adds an operand, unless it is the last one again: after a repair, it may be in two files. */
  private void addOperand(CellCursor cell, long sequence) {
    Written last = operands.isEmpty() ? null : operands.get(operands.size() - 1);
    if (last == null
        || last.sequence != sequence
        || last.timestamp != KeyValueLayout.timestamp(cell.buffer(), cell.offset())) {
      operands.add(written(cell, sequence));
    }
  }

  private static Written written(CellCursor cell, long sequence) {
    ByteBuffer buffer = cell.buffer();
    int offset = cell.offset();
    return new Written(
        sequence,
        KeyValueLayout.timestamp(buffer, offset),
        KeyValueLayout.value(buffer, offset),
        CellTags.copyOf(buffer, offset, cell.length()));
  }

  private void fold(@Nullable Written put, long hiddenBelow) throws MergeOperatorException {
    Written base = put == null || put.sequence < hiddenBelow ? null : put;
    long from = base == null ? hiddenBelow : base.sequence;
    operands.removeIf(operand -> operand.sequence < from || isExpired(operand));
    boolean live = base != null && !isExpired(base);
    if (!operands.isEmpty()) {
      operands.sort(Comparator.comparingLong(Written::sequence));
      List<byte[]> values = new ArrayList<>(operands.size());
      operands.forEach(operand -> values.add(operand.value));
      Written newest = operands.get(operands.size() - 1);
      show(newest, apply(base == null || !live ? null : base.value, values), CellTags.NONE);
    } else if (base != null && live) {
      show(base, base.value, base.tags);
    }
  }

  private boolean isExpired(Written cell) {
    return cell.timestamp < oldestLiveTimestamp && !PendingCells.isUndated(cell.sequence);
  }

  private byte[] apply(byte @Nullable [] base, List<byte[]> values) throws MergeOperatorException {
    try {
      return merge.apply(base, values);
    } catch (InternalError | OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      // Operators in some languages throw checked exceptions, and errors of their own.
      throw new MergeOperatorException(
          merge.name(),
          KeyValueLayout.row(column, 0),
          family,
          KeyValueLayout.qualifier(column, 0),
          e);
    }
  }

  private void show(Written newest, byte[] value, byte[] tags) {
    ByteBuffer cell = KeyValueLayout.withValue(column, 0, CellType.PUT.code(), value);
    KeyValueLayout.setTimestamp(cell, 0, newest.timestamp);
    current = tags.length == 0 ? cell : withTags(cell, tags);
    currentSequence = newest.sequence;
  }

  private static ByteBuffer withTags(ByteBuffer cell, byte[] tags) {
    int length = cell.capacity();
    ByteBuffer tagged = ByteBuffer.allocate(length + Short.BYTES + tags.length);
    tagged.put(0, cell, 0, length);
    CellTags.write(tagged, length, tags);
    return tagged;
  }

  @Override
  public boolean isValid() {
    return current != null;
  }

  @Override
  public ByteBuffer buffer() {
    ByteBuffer cell = current;
    if (cell == null) {
      throw new IllegalStateException("the cursor stands on no cell");
    }
    return cell;
  }

  @Override
  public int offset() {
    return 0;
  }

  @Override
  public int length() {
    return buffer().capacity();
  }

  @Override
  public long sequenceNumber() {
    return currentSequence;
  }

  @Override
  public void close() {
    current = null;
    cells.close();
  }
}
