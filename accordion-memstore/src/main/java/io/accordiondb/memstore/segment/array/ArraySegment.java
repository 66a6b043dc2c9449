// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.array;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.chunk.SharedMemory;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentStats;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable segment whose index is a sorted array of cell objects, either plain objects or
 * references to cells in chunks (section 3.4 of the paper, Figure 4a). Immutable and thread-safe.
 */
public final class ArraySegment implements ImmutableSegment {
  /** The bytes that the array uses for a cell, with compressed references. */
  private static final int SLOT_BYTES = 4;

  private final MemoryAccount account;
  private final List<SharedMemory> cellMemory;
  private final CellObject[] cells;
  private final long columns;
  private final @Nullable DistinctSketch sketch;
  private final SegmentStats stats;
  private final ReferenceCount holders = new ReferenceCount();
  private final long indexBytes;

  ArraySegment(
      MemoryAccount account,
      List<SharedMemory> cellMemory,
      CellObject[] cells,
      long columns,
      @Nullable DistinctSketch sketch,
      SegmentStats stats) {
    this.account = account;
    this.cellMemory = cellMemory;
    this.cells = cells;
    this.columns = columns;
    this.sketch = sketch;
    this.stats = stats;
    this.indexBytes = indexBytesOf(cells);
    account.charge(MemoryKind.HEAP, indexBytes);
  }

  private static long indexBytesOf(CellObject[] cells) {
    long bytes = 0;
    for (CellObject cell : cells) {
      bytes += cell instanceof ChunkCell ? SLOT_BYTES + ChunkCell.OBJECT_BYTES : SLOT_BYTES;
    }
    return bytes;
  }

  /** Returns the number of cells. */
  int size() {
    return cells.length;
  }

  /** Returns a cell, by its place in the order, from 0 on. */
  CellObject cell(int index) {
    return cells[index];
  }

  /** Returns the number of cells before a key with the highest sequence number. */
  int countBefore(ByteBuffer key, int keyOffset) {
    int low = 0;
    int high = cells.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      CellObject cell = cells[middle];
      if (CellComparator.compareKeys(cell.buffer(), cell.offset(), key, keyOffset) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public ColumnCursor cursor() {
    return new ArrayCursor(this);
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) {
    return compareRow(cells[0], key, keyOffset) <= 0
        && compareRow(cells[cells.length - 1], key, keyOffset) >= 0;
  }

  private static int compareRow(CellObject cell, ByteBuffer key, int keyOffset) {
    return CellComparator.compareRows(cell.buffer(), cell.offset(), key, keyOffset);
  }

  @Override
  public KeyPrefix fittingPrefix() {
    CellObject first = cells[0];
    CellObject last = cells[cells.length - 1];
    return KeyPrefix.between(first.buffer(), first.offset(), last.buffer(), last.offset());
  }

  @Override
  public long columnCount() {
    return columns;
  }

  @Override
  public @Nullable DistinctSketch sketch() {
    return sketch;
  }

  @Override
  public List<SharedMemory> cellMemory() {
    return cellMemory;
  }

  @Override
  public long heldBytes() {
    long bytes = indexBytes;
    for (SharedMemory memory : cellMemory) {
      bytes += memory.bytes();
    }
    return bytes;
  }

  @Override
  public long heapBytes() {
    long bytes = indexBytes;
    for (SharedMemory memory : cellMemory) {
      bytes += memory.heapBytes();
    }
    return bytes;
  }

  @Override
  public long indexBytes() {
    return indexBytes;
  }

  @Override
  public SegmentStats stats() {
    return stats;
  }

  @Override
  public void retain() {
    holders.retain();
  }

  @Override
  public void release() {
    if (holders.release()) {
      account.credit(MemoryKind.HEAP, indexBytes);
      for (int i = 0; i < cellMemory.size(); i++) {
        cellMemory.get(i).release();
      }
    }
  }
}
