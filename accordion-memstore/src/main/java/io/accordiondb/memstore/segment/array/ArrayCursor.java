// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.array;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.KeyPrefix;
import java.nio.ByteBuffer;

/**
 * Iterates over the array of an {@link ArraySegment}. Belongs to one thread, which must hold the
 * segment.
 */
final class ArrayCursor implements ColumnCursor {
  private final ArraySegment segment;
  private int index = -1;
  private CellObject cell;
  private ByteBuffer buffer = NOWHERE;

  ArrayCursor(ArraySegment segment) {
    this.segment = segment;
    this.cell = segment.cell(0);
  }

  /** Returns the current cell. */
  CellObject cell() {
    return cell;
  }

  @Override
  public boolean seekToFirst() {
    return moveTo(0);
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) {
    return moveTo(segment.countBefore(key, keyOffset));
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) {
    return moveTo(segment.countBefore(key, keyOffset) - 1);
  }

  @Override
  public boolean startsRow() {
    if (index == 0) {
      return true;
    }
    CellObject before = segment.cell(index - 1);
    return CellComparator.compareRows(buffer, cell.offset(), before.buffer(), before.offset()) != 0;
  }

  @Override
  public boolean previous() {
    return moveTo(index - 1);
  }

  @Override
  public boolean next() {
    return moveTo(index + 1);
  }

  private boolean moveTo(int target) {
    index = target < segment.size() ? target : -1;
    if (index < 0) {
      return false;
    }
    cell = segment.cell(index);
    buffer = cell.buffer();
    return true;
  }

  @Override
  public boolean continuesColumn() {
    if (index == 0) {
      return false;
    }
    CellObject before = segment.cell(index - 1);
    return CellComparator.compareColumns(buffer, cell.offset(), before.buffer(), before.offset())
        == 0;
  }

  @Override
  public boolean isRecord() {
    return cell instanceof ChunkCell;
  }

  @Override
  public long prefix(KeyPrefix keyPrefix) {
    return KeyPrefix.shortened(keyPrefix.of(buffer, cell.offset()));
  }

  @Override
  public boolean isValid() {
    return index >= 0;
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return cell.offset();
  }

  @Override
  public int length() {
    return cell.length();
  }

  @Override
  public long sequenceNumber() {
    return cell.sequence();
  }
}
