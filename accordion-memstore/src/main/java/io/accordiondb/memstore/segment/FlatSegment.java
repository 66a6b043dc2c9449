// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.cell.CellComparator;
import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.ReferenceCount;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * An immutable segment with a serialised index: sorted entries of key prefix and reference in index
 * chunks, no object per cell (sections 3.1 and 3.4 of the paper).
 *
 * <p>It owns the arena of its index chunks and holds the arenas of its cells, which it may share
 * with the segments it was made from.
 */
public final class FlatSegment implements Segment {
  private final ChunkPool pool;
  private final KeyPrefix keyPrefix;
  private final Arena indexArena;
  private final List<Arena> cellArenas;
  private final ByteBuffer[] index;
  private final int entriesPerChunk;
  private final int size;
  private final SegmentStats stats;
  private final ReferenceCount holders = new ReferenceCount();

  FlatSegment(
      ChunkPool pool,
      KeyPrefix keyPrefix,
      Arena indexArena,
      List<Arena> cellArenas,
      ByteBuffer[] index,
      int entriesPerChunk,
      int size,
      SegmentStats stats) {
    this.pool = pool;
    this.keyPrefix = keyPrefix;
    this.indexArena = indexArena;
    this.cellArenas = cellArenas;
    this.index = index;
    this.entriesPerChunk = entriesPerChunk;
    this.size = size;
    this.stats = stats;
  }

  KeyPrefix keyPrefix() {
    return keyPrefix;
  }

  List<Arena> cellArenas() {
    return cellArenas;
  }

  ChunkPool pool() {
    return pool;
  }

  int size() {
    return size;
  }

  int entriesPerChunk() {
    return entriesPerChunk;
  }

  ByteBuffer indexChunk(int number) {
    return index[number];
  }

  /** Returns the key prefix map that fits the rows of this segment best. */
  public KeyPrefix fittingPrefix() {
    int first = reference(0);
    int last = reference(size - 1);
    return KeyPrefix.between(
        pool.buffer(first),
        CellRecord.cellOffset(pool.position(first)),
        pool.buffer(last),
        CellRecord.cellOffset(pool.position(last)));
  }

  /** Returns the number of entries before a key with the highest sequence number. */
  int countBefore(ByteBuffer key, int keyOffset) {
    long prefix = keyPrefix.of(key, keyOffset);
    // The last chunk whose first entry is before the key holds the boundary.
    int low = 0;
    int high = index.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (isBefore(index[middle], 0, prefix, key, keyOffset)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    int chunkStart = low * entriesPerChunk;
    ByteBuffer chunk = index[low];
    low = 0;
    high = Math.min(entriesPerChunk, size - chunkStart);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(chunk, middle * FlatIndexLayout.ENTRY_BYTES, prefix, key, keyOffset)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return chunkStart + low;
  }

  private boolean isBefore(
      ByteBuffer chunk, int position, long prefix, ByteBuffer key, int keyOffset) {
    long entryPrefix = FlatIndexLayout.prefix(chunk, position);
    if (entryPrefix != prefix) {
      return Long.compareUnsigned(entryPrefix, prefix) < 0;
    }
    int reference = FlatIndexLayout.reference(chunk, position);
    ByteBuffer buffer = pool.buffer(reference);
    int cell = CellRecord.cellOffset(pool.position(reference));
    // An equal key comes after: the key sought has the highest sequence number.
    return CellComparator.compareKeys(buffer, cell, key, keyOffset) < 0;
  }

  private int reference(int entry) {
    return FlatIndexLayout.reference(
        index[entry / entriesPerChunk], entry % entriesPerChunk * FlatIndexLayout.ENTRY_BYTES);
  }

  @Override
  public long heldBytes() {
    long bytes = indexArena.bytes();
    for (Arena arena : cellArenas) {
      bytes += arena.bytes();
    }
    return bytes;
  }

  @Override
  public MemoryCursor cursor() {
    return new FlatCursor(this);
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) {
    return compareRow(0, key, keyOffset) <= 0 && compareRow(size - 1, key, keyOffset) >= 0;
  }

  private int compareRow(int entry, ByteBuffer key, int keyOffset) {
    int reference = reference(entry);
    return CellComparator.compareRows(
        pool.buffer(reference), CellRecord.cellOffset(pool.position(reference)), key, keyOffset);
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
      indexArena.release();
      cellArenas.forEach(Arena::release);
    }
  }
}
