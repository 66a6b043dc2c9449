// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.retention.ColumnFold;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Iterates over the cells that a flush or a compaction keeps in a family with a merge operator,
 * upwards from the first cell. Belongs to one thread; does not close the cursor that it reads.
 */
final class FoldingCursor implements CellCursor {
  private final MergingCursor cells;
  private final ColumnFold fold;

  /** The index of the current cell among those kept of the column. */
  private int current;

  FoldingCursor(MergingCursor cells, ColumnFold fold) {
    this.cells = cells;
    this.fold = fold;
  }

  @Override
  public boolean seekToFirst() throws IOException {
    cells.seekToFirst();
    fold.startColumn();
    current = 0;
    return isValid() || foldNext();
  }

  @Override
  public boolean next() throws IOException {
    current++;
    return isValid() || foldNext();
  }

  /** Reads columns until a cell of one is kept. */
  private boolean foldNext() throws IOException {
    boolean any = false;
    while (!any && cells.isValid()) {
      fold.startColumn();
      long sequence = cells.current().sequenceNumber();
      ByteBuffer first = addCopy();
      ByteBuffer last = first;
      while (cells.next() && isOfColumn(first)) {
        // After a repair, a cell may be in several files, and its operand must not count again.
        if (cells.current().sequenceNumber() != sequence || !hasKeyOf(last)) {
          sequence = cells.current().sequenceNumber();
          last = addCopy();
        }
      }
      fold.finish();
      any = fold.kept() > 0;
    }
    if (!any) {
      fold.startColumn();
    }
    current = 0;
    return any;
  }

  /** Adds a copy of the current cell, because the next step overwrites its bytes. */
  private ByteBuffer addCopy() {
    CellCursor cell = cells.current();
    ByteBuffer copy = ByteBuffer.allocate(cell.length());
    copy.put(0, cell.buffer(), cell.offset(), cell.length());
    fold.add(copy, 0, cell.length(), cell.sequenceNumber());
    return copy;
  }

  private boolean hasKeyOf(ByteBuffer last) {
    CellCursor cell = cells.current();
    return CellComparator.compareKeys(cell.buffer(), cell.offset(), last, 0) == 0;
  }

  private boolean isOfColumn(ByteBuffer first) {
    CellCursor cell = cells.current();
    return CellComparator.compareColumns(cell.buffer(), cell.offset(), first, 0) == 0;
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) {
    throw new UnsupportedOperationException("cells are folded from the first one on");
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) {
    throw new UnsupportedOperationException("cells are folded from the first one on");
  }

  @Override
  public boolean isValid() {
    return current < fold.kept();
  }

  @Override
  public ByteBuffer buffer() {
    return fold.buffer(current);
  }

  @Override
  public int offset() {
    return fold.offset(current);
  }

  @Override
  public int length() {
    return fold.length(current);
  }

  @Override
  public long sequenceNumber() {
    return fold.sequence(current);
  }

  @Override
  public void close() {}
}
