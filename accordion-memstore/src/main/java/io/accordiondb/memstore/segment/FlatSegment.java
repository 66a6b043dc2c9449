// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.cell.CellComparator;
import io.accordiondb.cell.FoundCell;
import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.chunk.SharedMemory;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable segment with a serialised index: sorted entries of key prefix and reference in index
 * chunks, no object per cell (sections 3.1 and 3.4 of the paper).
 *
 * <p>It owns the arena of its index chunks and a filter, and holds the memory of its cells, which
 * it may share with the segments it was made from.
 */
public final class FlatSegment implements ImmutableSegment {
  private final ChunkPool pool;
  private final KeyPrefix keyPrefix;
  private final Arena indexArena;
  private final List<SharedMemory> cellMemory;
  private final ByteBuffer[] index;
  private final int entriesPerChunk;
  private final int size;
  private final long columns;
  private final long firstPrefix;
  private final long lastPrefix;
  private final @Nullable PrefixFilter filter;
  private final @Nullable DistinctSketch sketch;
  private final SegmentStats stats;
  private final ReferenceCount holders = new ReferenceCount();

  FlatSegment(
      ChunkPool pool,
      KeyPrefix keyPrefix,
      Arena indexArena,
      List<SharedMemory> cellMemory,
      ByteBuffer[] index,
      int entriesPerChunk,
      int size,
      long columns,
      @Nullable PrefixFilter filter,
      @Nullable DistinctSketch sketch,
      SegmentStats stats) {
    this.pool = pool;
    this.keyPrefix = keyPrefix;
    this.indexArena = indexArena;
    this.cellMemory = cellMemory;
    this.index = index;
    this.entriesPerChunk = entriesPerChunk;
    this.size = size;
    this.columns = columns;
    this.filter = filter;
    this.sketch = sketch;
    this.stats = stats;
    this.firstPrefix = prefix(0);
    this.lastPrefix = prefix(size - 1);
    if (filter != null) {
      fill(filter);
    }
  }

  private void fill(PrefixFilter filter) {
    long last = ~firstPrefix;
    int left = size;
    for (ByteBuffer chunk : index) {
      int bytes = Math.min(left, entriesPerChunk) * FlatIndexLayout.ENTRY_BYTES;
      for (int at = 0; at < bytes; at += FlatIndexLayout.ENTRY_BYTES) {
        long prefix = FlatIndexLayout.prefix(chunk, at);
        if (prefix != last) {
          filter.add(prefix);
          last = prefix;
        }
      }
      left -= entriesPerChunk;
    }
  }

  KeyPrefix keyPrefix() {
    return keyPrefix;
  }

  @Override
  public List<SharedMemory> cellMemory() {
    return cellMemory;
  }

  @Override
  public long columnCount() {
    return columns;
  }

  @Override
  public @Nullable DistinctSketch sketch() {
    return sketch;
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

  @Override
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
    return countBefore(FlatIndexLayout.shortened(keyPrefix.of(key, keyOffset)), key, keyOffset);
  }

  private int countBefore(long prefix, ByteBuffer key, int keyOffset) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(middle, prefix, key, keyOffset)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isBefore(int entry, long prefix, ByteBuffer key, int keyOffset) {
    long entryPrefix = prefix(entry);
    if (entryPrefix != prefix) {
      return Long.compareUnsigned(entryPrefix, prefix) < 0;
    }
    int reference = reference(entry);
    ByteBuffer buffer = pool.buffer(reference);
    int cell = CellRecord.cellOffset(pool.position(reference));
    // An equal key comes after: the key sought has the highest sequence number.
    return CellComparator.compareKeys(buffer, cell, key, keyOffset) < 0;
  }

  private long prefix(int entry) {
    return FlatIndexLayout.prefix(
        index[entry / entriesPerChunk], entry % entriesPerChunk * FlatIndexLayout.ENTRY_BYTES);
  }

  private int reference(int entry) {
    return FlatIndexLayout.reference(
        index[entry / entriesPerChunk], entry % entriesPerChunk * FlatIndexLayout.ENTRY_BYTES);
  }

  @Override
  public long heldBytes() {
    long bytes = indexArena.bytes();
    if (filter != null) {
      bytes += filter.bytes();
    }
    for (SharedMemory memory : cellMemory) {
      bytes += memory.bytes();
    }
    return bytes;
  }

  @Override
  public IndexCursor cursor() {
    return new FlatCursor(this);
  }

  @Override
  public boolean find(ByteBuffer key, int keyOffset, long readPoint, FoundCell found) {
    long prefix = FlatIndexLayout.shortened(keyPrefix.of(key, keyOffset));
    if (Long.compareUnsigned(prefix, firstPrefix) < 0
        || Long.compareUnsigned(prefix, lastPrefix) > 0
        || (filter != null && !filter.mayContain(prefix))) {
      return false;
    }
    for (int entry = countBefore(prefix, key, keyOffset);
        entry < size && prefix(entry) == prefix;
        entry++) {
      int reference = reference(entry);
      ByteBuffer buffer = pool.buffer(reference);
      int position = pool.position(reference);
      int cell = CellRecord.cellOffset(position);
      if (CellComparator.compareColumns(buffer, cell, key, keyOffset) != 0) {
        return false;
      }
      long sequence = CellRecord.sequence(buffer, position);
      if (sequence <= readPoint) {
        found.set(buffer, cell, sequence);
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) {
    long prefix = FlatIndexLayout.shortened(keyPrefix.of(key, keyOffset));
    int first = Long.compareUnsigned(prefix, firstPrefix);
    int last = Long.compareUnsigned(prefix, lastPrefix);
    return first >= 0
        && last <= 0
        && (first > 0 || compareRow(0, key, keyOffset) <= 0)
        && (last < 0 || compareRow(size - 1, key, keyOffset) >= 0)
        && (filter == null || filter.mayContain(prefix));
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
      if (filter != null) {
        filter.giveBack();
      }
      cellMemory.forEach(SharedMemory::release);
    }
  }
}
